help	soft interrupts of each CPU: how often they came, and how long they took in all, on average and at most, in ns
command	profile
option	-S
option	-G
event	irq:softirq_entry
event	irq:softirq_exit
