# By default and with --summary; -i and an operand name the same file; both versions.
ringside dump "$DATA/instances.dat" | sed "s,$DATA,DATA,"
ringside dump --summary -i "$DATA/syscalls-v6.dat" | sed "s,$DATA,DATA,"
ln -s "$DATA/marker.dat" trace.dat
ringside dump | sed -n '2p;16,$p'
# --verbose says the summary beside what was asked for.
diff <(ringside dump --verbose=warning --systems "$DATA/events.dat") <(ringside dump --systems "$DATA/events.dat")
ringside dump --verbose --systems "$DATA/events.dat" | grep -c 'Version\|Kallsyms\|sched [0-9]'
ringside dump --verbose=loud "$DATA/events.dat"
