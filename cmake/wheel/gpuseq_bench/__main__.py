import sys

from gpuseq_bench import main

sys.exit(main())
