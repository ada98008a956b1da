# What a probe may become, at each place in it; and what bash makes of it, quoted and not. Kernel names are the kernel's: see tests/live.
mkdir -p some/deep
cat >some/prog.c <<'END'
struct point { int x, y; struct { long deep; } in; const char *name; };
__attribute__((noinline)) long work_on(struct point *p, int n) { return p->x + n; }
__attribute__((noinline)) long work_off(struct point *p) { return p->y; }
int main(void) { struct point p = { 1, 2 }; return (int)(work_on(&p, 3) + work_off(&p)); }
END
gcc -g -O0 -o some/prog some/prog.c
ask() { echo "== $*"; ringside __complete "$@"; }
ask record --probe k
ask record --probe=ure
cp some/prog xyzzy-prog
PATH=$PWD:$PATH ask record --probe uprobe:xyzzy
ask record --probe uprobe:./some/
ask record --probe uprobe:./some/prog:work
ask record --probe "'uprobe:./some/prog:work_on "
ask record --probe 'uprobe:./some/prog:work_on where=p->'
ask record --probe 'uprobe:./some/prog:work_on p->in.'
ask record --probe 'uprobe:./some/prog:work_on p->x n:s'
ask record --probe 'uretprobe:./some/prog:work_on '
ask record --probe 'uprobe:./some/prog:nosuch p'
ask record --probe 'nosuch:'
ask probe vars ./some/prog:work_of
ask probe add uprobe:./some/prog:work_of
ask probe syms ./so
ask probe syms ./some/prog work_
ask probe syms --pid 1 ./some/prog work_on
ask probe usdt ./some/prog w

. "$(dirname "$0")/../../completions/ringside.bash"
in_bash() { # a line as it stands before Tab
	COMP_LINE=$1 COMP_POINT=${#1} _ringside
	printf '%s  =>' "$1"
	printf ' <%s>' "${COMPREPLY[@]}"
	echo
}
in_bash 'ringside record --probe kprob'
in_bash 'ringside record --probe uprobe:./some/prog:work_of'
in_bash "ringside record -o 'my file' --probe 'uprobe:./some/prog:work_of"
in_bash 'ringside record --probe "uprobe:./some/prog:work_on p->i'
in_bash "ringside record --probe='uprobe:./some/prog:work_"
in_bash 'ringside record --probe=uprobe:./some/prog:work_'
in_bash "ringside record --probe 'uprobe:./some/prog:work_on p->x' --compression=zs"
COMP_WORDBREAKS=${COMP_WORDBREAKS//:/}
in_bash 'ringside record --probe uprobe:./some/prog:work_'
