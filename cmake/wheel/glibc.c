/* Newer names of the C library by those of glibc 2.28, the oldest that the wheel's program starts on. */
#include <stdint.h>
#include <sys/random.h>

/* Whether the process has one thread, so that libstdc++ counts references without atomic instructions (glibc 2.32). */
char __libc_single_threaded = 0;

/* Of std::random_device (glibc 2.36). */
uint32_t arc4random(void);
uint32_t arc4random(void) {
  uint32_t value;
  while (getrandom(&value, sizeof value, 0) != sizeof value) {
  }
  return value;
}

/* glibc 2.29 has new versions of these, which compute the same and only treat errors otherwise. The linker's option --wrap brings
   the calls here. */
#define OLDER_VERSION(name, parameters, arguments)        \
  __asm__(".symver older_" #name "," #name "@GLIBC_2.2.5"); \
  double older_##name parameters;                         \
  double __wrap_##name parameters;                        \
  double __wrap_##name parameters { return older_##name arguments; }

OLDER_VERSION(exp, (double x), (x))
OLDER_VERSION(exp2, (double x), (x))
OLDER_VERSION(log, (double x), (x))
OLDER_VERSION(log2, (double x), (x))
OLDER_VERSION(pow, (double x, double y), (x, y))
