import {
  assessCrontab,
  assessDate,
  assessEnv,
  assessExport,
  assessHistory,
  assessHostname,
  assessKill,
  assessPrivilege,
  assessService,
  assessSystemctl,
  assessToggle,
  assessWrapper,
} from '../system.ts'
import { fixed, type ProgramRow, SMALL } from './row.ts'

/** Programs for the machine. */
export const SYSTEM: readonly ProgramRow[] = [
  ['sudo doas pkexec su runuser sg setpriv', assessPrivilege],
  ['env printenv', assessEnv],
  [
    'nice ionice chrt taskset timeout gtimeout nohup setsid stdbuf unbuffer time command builtin exec noglob ' +
      'nocorrect xargs gxargs parallel watch flock script busybox toybox valgrind systemd-inhibit caffeinate ' +
      'fakeroot firejail xvfb-run dbus-run-session rlwrap entr sshpass direnv mise doppler dotenvx aws-vault',
    assessWrapper,
  ],
  ['strace ltrace gdb perf lldb', SMALL],
  [
    'chroot unshare nsenter bwrap systemd-run',
    fixed('high', 'system.namespace', 'runs a command with other rights or in another root'),
  ],
  ['export', assessExport],
  ['systemctl', assessSystemctl],
  ['service rc-service launchctl initctl supervisorctl pm2', assessService],
  ['kill pkill killall xkill skill', assessKill],
  ['crontab', assessCrontab],
  ['at batch tmux screen', fixed('high', 'system.later', 'runs commands later or out of sight')],
  ['shutdown reboot halt poweroff init telinit', fixed('critical', 'system.power', 'stops the machine')],
  [
    'mkfs mke2fs mkswap wipefs blkdiscard sgdisk fdisk sfdisk parted diskutil cryptsetup lvremove vgremove ' +
      'pvremove zpool zfs mdadm hdparm nvme format',
    fixed('critical', 'system.disk', 'works on disks or volumes'),
  ],
  ['mount umount swapoff swapon losetup fsck', fixed('high', 'system.mount', 'changes what is mounted')],
  ['iptables ip6tables nft ufw firewall-cmd setenforce csrutil spctl', assessToggle],
  [
    'ip ifconfig route nmcli iwconfig hostnamectl timedatectl localectl loginctl sysctl hwclock networksetup ' +
      'scutil defaults pactl ethtool brctl',
    assessToggle,
  ],
  [
    'useradd userdel usermod groupadd groupdel adduser deluser visudo passwd chpasswd chage htpasswd dscl vipw gpasswd',
    fixed('high', 'system.accounts', 'changes accounts or passwords'),
  ],
  [
    'modprobe insmod rmmod kexec grub-install update-grub bcdedit',
    fixed('critical', 'system.kernel', 'changes the kernel or how the machine starts'),
  ],
  ['history', assessHistory],
  ['date', assessDate],
  ['hostname', assessHostname],
  ['ssh-keygen ssh-add ssh-copy-id gpg gpg2 openssl keytool age', fixed('medium', 'system.keys', 'works on keys')],
  ['open xdg-open start', fixed('medium', 'system.open', 'opens something with another program')],
  ['countersign', SMALL],
]
