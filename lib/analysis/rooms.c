/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/rooms.h"

/* clang-format off */
const char *const room_names[ROOM_COUNT] = {
	[ROOM_OTHER] = "other", [ROOM_ENTRY] = "system calls", [ROOM_FS] = "fs", [ROOM_MM] = "mm", [ROOM_NET] = "net", [ROOM_SCHED] = "sched",
	[ROOM_LOCKING] = "locking", [ROOM_IRQ] = "irq", [ROOM_DRIVER] = "driver/module",
};
/* clang-format on */

struct beginning {
	const char *words; /* the beginnings of names of functions, without leading underscores, separated by blanks */
	enum kernel_room room;
};

/* The first entry that fits counts. So special beginnings stand before general ones. */
static const struct beginning beginnings[] = {
	{ "x64_sys_ ia32_sys_ arm64_sys_ se_sys_ do_sys_ ksys_ x64_sys_call do_syscall_ syscall_ entry_SYSCALL invoke_syscall el0_svc", ROOM_ENTRY },
	{ "mutex_ raw_spin_ raw_read_ raw_write_ spin_lock spin_unlock spin_try rwsem_ down_read down_write down_try down_killable up_read "
	  "up_write rt_mutex_ rtmutex_ ww_mutex_ queued_spin_ queued_read_ queued_write_ native_queued_ osq_ lock_acquire lock_release lockref_ "
	  "futex_ do_futex percpu_down percpu_up seqcount srcu_read rcu_read_ local_lock",
	  ROOM_LOCKING },
	{ "irq_ handle_irq handle_edge handle_fasteoi handle_level handle_simple generic_handle sysvec_ asm_sysvec_ common_interrupt "
	  "asm_common_interrupt do_softirq softirq_ tasklet_ raise_softirq local_bh_ hrtimer_interrupt run_timer_ call_timer_ tick_ "
	  "enter_from_ exit_to_ apic_ x2apic_ smp_apic smp_call_function flush_smp do_IRQ note_interrupt idle_irq hardirq_ gic_ ack_APIC "
	  "invoke_softirq run_ksoftirqd handle_softirqs clockevents_",
	  ROOM_IRQ },
	{ "schedule sched_ try_to_wake wake_up wakeup_ ttwu_ pick_next_ pick_task enqueue_task dequeue_task enqueue_entity dequeue_entity "
	  "update_curr update_rq update_load update_se set_next_ put_prev_ select_task_rq finish_task_switch context_switch switch_mm "
	  "switch_to prepare_task resched_ check_preempt wakeup_preempt cond_resched preempt_ rebalance_ load_balance newidle_ cpu_idle "
	  "do_idle cpuidle_ default_idle place_entity reweight_ cpuacct_ psi_ wait_for_completion complete autoremove_wake default_wake "
	  "prepare_to_wait finish_wait wait_woken hrtick_ account_entity calc_load scheduler_tick task_tick yield_ rcu_note set_task_cpu "
	  "migrate_ dl_ rt_ kthread_ worker_thread process_one_work queue_work",
	  ROOM_SCHED },
	{ "sock_ sk_ skb_ tcp_ udp_ ip_ ip6_ ipv4_ ipv6_ inet_ inet6_ net_ netif_ netdev_ dev_queue dev_hard neigh_ nf_ nft_ napi_ unix_ "
	  "fib_ arp_ icmp_ netlink_ rtnl_ genl_ qdisc_ fq_ pfifo_ sys_sendto sys_recv alloc_skb kfree_skb consume_skb xfrm_ bridge_ br_ "
	  "loopback_ eth_ process_backlog validate_xmit tun_ veth_ packet_ csum_",
	  ROOM_NET },
	{ "handle_mm_fault do_anonymous do_fault do_wp_page do_swap do_user_addr exc_page_fault handle_pte mm_ mmap_ munmap do_mmap do_munmap "
	  "do_brk vma_ vm_ alloc_pages alloc_page get_page put_page free_page free_unref rmqueue kmalloc kfree kmem_ kvmalloc kvfree vmalloc "
	  "vfree slab_ slub_ cache_alloc cache_free should_failslab alloc_slab new_slab refill_ page_ folio_ lru_ mod_lruvec "
	  "mod_memcg mod_node mod_zone memcg_ mem_cgroup obj_cgroup charge_ try_charge uncharge_ pte_ pmd_ pud_ p4d_ pgd_ copy_page "
	  "clear_page unmap_ zap_ tlb_ flush_tlb anon_vma rmap_ find_vma mas_ mt_ swap_ shrink_ kswapd compact_ khugepaged madvise "
	  "mprotect change_protection get_unmapped free_pgtables copy_mm dup_mm exit_mmap mmput workingset_ filemap_map next_uptodate "
	  "prep_new_page wp_page hugetlb_ thp_ percpu_ pcpu_ ptep_ gup_ get_user_pages perf_event_mmap lock_vma pagefault_ "
	  "count_memcg node_page zone_ alloc_percpu",
	  ROOM_MM },
	{ "vfs_ do_filp do_open do_dentry path_ filename_ getname putname lookup_ link_path walk_ step_into follow_ complete_walk try_to_unlazy "
	  "unlazy_ dput dget d_ dentry_ inode_ iget iput igrab generic_file generic_perm generic_read generic_write generic_fillattr filemap_ "
	  "file_ filp_ fput fget alloc_file alloc_empty_file alloc_fd get_unused_fd put_unused_fd fd_ close_fd close_files filldir iterate_dir "
	  "dcache_ mnt_ mntput mntget may_open may_lookup may_delete set_root nd_ ext2_ ext3_ ext4_ jbd2_ xfs_ btrfs_ f2fs_ nfs_ fuse_ ovl_ "
	  "tmpfs_ shmem_ proc_ sysfs_ kernfs_ debugfs_ tracefs_ seq_ pipe_ anon_pipe fifo_ simple_ readahead_ ondemand_ page_cache_ "
	  "read_pages mpage_ iomap_ submit_bh sync_ writeback_ wb_ write_cache balance_dirty block_ bdev_ buffer_ getblk get_dents getdents "
	  "new_sync_ rw_verify rw_copy splice_ iter_file statx_ stat_ cp_new_stat cp_statx do_statx do_fstat do_readlink fsnotify dnotify inotify "
	  "eventfd_ ep_ eventpoll epoll_ do_epoll poll_ do_select do_sys_poll do_pollfd select_ fcntl_ locks_ flock_ "
	  "posix_lock exec_binprm load_elf elf_ bprm_ begin_new_exec do_execve terminate_walk put_filp expand_files legitimize_ "
	  "touch_atime atime_ notify_change setattr_ user_path quota_ dquot_ security_file security_inode apparmor_file read_iter write_iter "
	  "copy_splice check_stack",
	  ROOM_FS },
	{ "pci_ usb_ ata_ scsi_ sd_ nvme_ virtio_ virtqueue_ vring_ vp_ blk_ bio_ submit_bio elv_ dd_ bfq_ tty_ n_tty pty_ uart_ serial_ serial8250_ "
	  "i2c_ spi_ gpio_ drm_ input_ evdev_ hid_ snd_ dma_ iommu_ acpi_ device_ platform_ regmap_ clk_ md_ dm_ loop_ "
	  "disk_ mmc_ hv_ xen_ kvm_ random_ get_random urandom_ crng_ extract_",
	  ROOM_DRIVER },
};

/* These are the beginnings of names of modules that belong to another room than "driver/module". */
static const struct beginning modules[] = {
	{ "ext4 jbd2 mbcache xfs btrfs f2fs nfs lockd sunrpc fuse overlay cifs smb ceph 9p fat vfat exfat ntfs isofs udf squashfs erofs autofs "
	  "binfmt_misc zonefs gfs2 ocfs2 reiserfs",
	  ROOM_FS },
	{ "nf_ nft_ nfnetlink ip_ ip6_ iptable xt_ x_tables bridge br_netfilter veth tun tap bonding vxlan sch_ cls_ act_ tcp_ udp_ ipv6 af_packet "
	  "unix virtio_net e1000 igb ixgbe i40e ice mlx4 mlx5 bnx tg3 r8169 vmxnet3 net_failover failover ena gve hv_netvsc mac80211 cfg80211 "
	  "iwl ath wireguard openvswitch 8021q stp llc sctp tls",
	  ROOM_NET },
	{ "zram zswap zsmalloc", ROOM_MM },
};

static bool begins(const char *name, const char *words)
{
	while (*words) {
		size_t len = strcspn(words, " ");

		if (strncmp(name, words, len) == 0)
			return true;
		words += len;
		words += *words == ' ';
	}
	return false;
}

static enum kernel_room find(const char *name, const struct beginning *list, size_t n, enum kernel_room otherwise)
{
	for (size_t i = 0; i < n; i++)
		if (begins(name, list[i].words))
			return list[i].room;
	return otherwise;
}

enum kernel_room room_of(const char *function, const char *module)
{
	if (module)
		return find(module, modules, ARRAY_LEN(modules), ROOM_DRIVER);
	while (*function == '_')
		function++;
	return find(function, beginnings, ARRAY_LEN(beginnings), ROOM_OTHER);
}
