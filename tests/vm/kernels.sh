# shellcheck shell=sh disable=SC2034
# What fetch-kernels, initramfs and guest agree on: which kernels, where they lie, what they need.
# Sourced.

all_kernels="6.1 6.12"

# The modules between the bare kernel and a chroot on the host's /, and those of the slow disk, in the order of their needs.
# A kernel that has one of them built in, or merged into another, just lacks the file. RINGSIDE_VM_MODULES: more of them, for tests that are run by name.
guest_modules="virtio_ring virtio virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci
	netfs fscache 9pnet 9pnet_virtio 9p overlay virtio_blk${RINGSIDE_VM_MODULES:+ $RINGSIDE_VM_MODULES}"

kernels_dir() {
	echo "${RINGSIDE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ringside}/kernels"
}

kernel_dir() {
	echo "$(kernels_dir)/$1"
}

kernel_meta_package() {
	case $1 in
	6.1) echo linux-image-amd64 ;;
	6.12) echo linux-image-6.12-amd64 ;;
	*)
		echo "no kernel '$1' here; there are: $all_kernels" >&2
		return 1
		;;
	esac
}

# need_programs PROGRAM:DEBIAN-PACKAGE…: one line that names everything missing, or silence.
need_programs() {
	missing=
	for pair; do
		command -v "${pair%%:*}" > /dev/null || missing="$missing ${pair#*:}"
	done
	[ -z "$missing" ] || {
		echo "missing Debian packages: apt-get install$missing" >&2
		return 1
	}
}
