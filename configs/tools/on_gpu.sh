#!/bin/sh
# on_gpu.sh cuda:N PROGRAM [ARGUMENTS]: runs a program that sees this GPU alone.
set -eu
CUDA_VISIBLE_DEVICES=${1#cuda:}
export CUDA_VISIBLE_DEVICES
shift
exec "$@"
