/* Entry point for a program without a C library: keeps the profiles of the fixtures to the program's own few functions. */
int main(void);

/* Valgrind reads symbols only of programs that have writable data. */
volatile long exit_call = 60;

__attribute__((noreturn, force_align_arg_pointer)) void _start(void)
{
    long status = main();
    __asm__ volatile("syscall" : : "a"(exit_call), "D"(status) : "rcx", "r11", "memory");
    __builtin_unreachable();
}
