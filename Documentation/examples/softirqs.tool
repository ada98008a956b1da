help	soft interrupts of each CPU: how often, how long in all, on average and at most, in ns
command	profile
option	-S
option	-G
event	irq:softirq_entry
event	irq:softirq_exit
