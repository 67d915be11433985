import { assessAccounts } from '../system/accounts.ts'
import { assessAgent, assessGpg, assessKeygen, assessOpenssl, assessOtherKeys } from '../system/cryptographic-keys.ts'
import {
  assessClock,
  assessDisk,
  assessDiskImages,
  assessKernel,
  assessMount,
  assessPower,
  assessSysctl,
  assessVolumes,
} from '../system/disks-and-kernel.ts'
import {
  assessControl,
  assessDesktop,
  assessFirewall,
  assessHostname,
  assessInterfaces,
  assessNetworkManager,
  assessOpen,
  assessOsascript,
} from '../system/host-settings.ts'
import { assessFuser, assessKill, assessScreen, assessTmux } from '../system/processes.ts'
import {
  assessAt,
  assessCrontab,
  assessDmesg,
  assessJournal,
  assessLaunchctl,
  assessService,
  assessSupervisor,
  assessSystemctl,
} from '../system/service-units.ts'
import { assessWsl } from '../system/virtual-machines.ts'
import {
  assessEnv,
  assessEnvironmentTool,
  assessExport,
  assessHistory,
  assessPrivilege,
  assessWrapper,
} from '../system/wrappers.ts'
import { fixed, type ProgramRow, READS, SMALL } from './program-row.ts'

/** Programs for the machine. */
export const SYSTEM: readonly ProgramRow[] = [
  ['sudo doas pkexec su runuser sg setpriv sudoedit gosu su-exec', assessPrivilege],
  ['env printenv', assessEnv],
  [
    'nice ionice chrt taskset timeout gtimeout nohup setsid stdbuf unbuffer time command builtin exec noglob ' +
      'nocorrect xargs gxargs parallel watch flock script busybox toybox valgrind systemd-inhibit caffeinate ' +
      'fakeroot firejail xvfb-run dbus-run-session rlwrap entr sshpass renice cpulimit sponge-wait',
    assessWrapper,
  ],
  ['direnv mise rtx doppler dotenvx aws-vault', assessEnvironmentTool],
  ['setarch numactl dtach chronic ts', assessWrapper],
  ['wsl', assessWsl],
  ['strace ltrace gdb perf lldb bpftrace dtrace rr', SMALL],
  [
    'chroot unshare nsenter bwrap systemd-run systemd-nspawn machinectl',
    fixed('high', 'system.namespace', 'runs a command with other rights or in another root'),
  ],
  ['export', assessExport],
  ['systemctl', assessSystemctl],
  ['service rc-service invoke-rc.d initctl', assessService],
  ['rc-update update-rc.d chkconfig', fixed('high', 'system.service', 'changes what starts with the machine')],
  ['launchctl', assessLaunchctl],
  ['supervisorctl pm2 forever foreman overmind hivemind honcho circusctl', assessSupervisor],
  ['journalctl', assessJournal],
  ['dmesg', assessDmesg],
  ['logrotate', fixed('medium', 'system.logs', 'turns logs over')],
  ['kill pkill killall xkill skill killall5 fkill', assessKill],
  ['fuser', assessFuser],
  ['crontab', assessCrontab],
  ['at batch atq atrm', assessAt],
  ['tmux', assessTmux],
  ['screen zellij abduco', assessScreen],
  ['shutdown reboot halt poweroff init telinit', assessPower],
  [
    'mkfs mke2fs mkswap mkdosfs wipefs blkdiscard sgdisk gdisk fdisk cfdisk sfdisk parted cryptsetup lvremove vgremove ' +
      'pvremove pvcreate lvreduce mdadm hdparm nvme format badblocks',
    assessDisk,
  ],
  ['hdiutil', assessDiskImages],
  ['zpool zfs btrfs diskutil lvm bcachefs', assessVolumes],
  [
    'lvcreate lvextend lvresize vgcreate vgextend vgreduce resize2fs xfs_growfs tune2fs growpart partprobe',
    fixed('high', 'system.volumes', 'changes volumes'),
  ],
  [
    'lvs vgs pvs lvdisplay vgdisplay pvdisplay lvscan smartctl mpstat sar pidstat blkid findmnt lshw inxi hwinfo dmidecode lsns lsmod iotop slabtop sensors modinfo lsipc lslogins lsfd getenforce sestatus iptables-save aa-status numastat',
    READS,
  ],
  ['mount umount swapoff swapon losetup fsck e2fsck xfs_repair', assessMount],
  [
    'iptables ip6tables nft ufw firewall-cmd setenforce csrutil spctl pfctl iptables-restore fail2ban-client auditctl aa-disable aa-teardown setsebool semanage',
    assessFirewall,
  ],
  ['ip ifconfig iwconfig route ethtool brctl', assessInterfaces],
  ['nmcli networkctl', assessNetworkManager],
  ['hostnamectl timedatectl localectl loginctl busctl', assessControl],
  [
    'networksetup systemsetup scutil defaults pmset nvram softwareupdate mdutil dscacheutil gsettings dconf xfconf-query pactl amixer xrandr',
    assessDesktop,
  ],
  ['sysctl', assessSysctl],
  [
    'useradd userdel usermod groupadd groupdel groupmod adduser deluser addgroup delgroup visudo passwd chpasswd chage ' +
      'htpasswd dscl vipw vigr gpasswd chsh chfn newusers faillock saslpasswd2',
    assessAccounts,
  ],
  [
    'modprobe insmod rmmod kexec grub-install update-grub update-initramfs efibootmgr dkms depmod dracut kextload kextunload',
    assessKernel,
  ],
  ['history', assessHistory],
  ['date hwclock', assessClock],
  ['ntpdate chronyc', fixed('high', 'system.clock', 'sets the clock')],
  ['hostname', assessHostname],
  ['ssh-keygen', assessKeygen],
  ['ssh-add ssh-agent', assessAgent],
  ['gpg gpg2 gpgv', assessGpg],
  ['openssl', assessOpenssl],
  ['keytool age age-keygen minisign signify ykman rage', assessOtherKeys],
  ['osascript', assessOsascript],
  ['open xdg-open start gio', assessOpen],
  ['countersign', SMALL],
]
