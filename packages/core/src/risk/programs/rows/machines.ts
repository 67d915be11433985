import { assessDirectory, assessServerProgram, assessServerVerbs } from '../network/servers.ts'
import {
  assessIpmi,
  assessProxmox,
  assessSystemContainers,
  assessVirsh,
  assessVirtualBox,
  assessVsphere,
} from '../system/virtual-machines.ts'
import { assessWindows, WINDOWS_NAMES } from '../system/windows.ts'
import { fixed, type ProgramRow, READS, SMALL } from './program-row.ts'

/** Programs for machines inside machines, for Windows, and for servers. */
export const MACHINES: readonly ProgramRow[] = [
  [WINDOWS_NAMES, assessWindows],
  ['tasklist ipconfig systeminfo tasklist.exe ipconfig.exe systeminfo.exe where.exe whoami.exe hostname.exe', READS],
  ['xcopy attrib xcopy.exe attrib.exe', fixed('medium', 'files.copy', 'copies files or changes their marks')],
  ['virsh', assessVirsh],
  ['vboxmanage vboxheadless', assessVirtualBox],
  ['lxc incus', assessSystemContainers],
  ['qm pct pvesh pveum pvesm', assessProxmox],
  ['esxcli govc', assessVsphere],
  ['ipmitool racadm', assessIpmi],
  [
    'virt-install virt-clone vmrun prlctl utmctl guestfish virt-customize',
    fixed('medium', 'machines.medium', 'makes or changes a machine inside this one'),
  ],
  [
    'nginx apachectl apache2ctl httpd apache2 haproxy caddy traefik envoy lighttpd squid dnsmasq varnishd',
    assessServerProgram,
  ],
  [
    'promtool amtool logcli nodetool patronictl pgbackrest barman wal-g repmgr ceph rbd rados pcs crm gluster influx mimirtool',
    assessServerVerbs,
  ],
  [
    'ldapsearch ldapwhoami ldapcompare ldapadd ldapmodify ldapdelete ldappasswd klist wbinfo smbstatus showmount nfsstat exportfs',
    assessDirectory,
  ],
  ['kinit kdestroy', fixed('medium', 'system.session', 'signs in or out')],
  ['smbclient', fixed('medium', 'network.session', 'opens a session on another machine')],
  [
    'named-checkconf named-checkzone varnishlog varnishstat getcap capsh lynis rkhunter chkrootkit ausearch aureport facter quota repquota zabbix_get pg_activity innotop mysqltuner needs-restarting sosreport',
    READS,
  ],
  [
    'clamscan systemd-analyze systemd-cgls systemd-cgtop systemd-detect-virt systemd-path systemd-id128 getprop dumpsys',
    READS,
  ],
  [
    'rndc unbound-control postfix postsuper postconf doveadm exim newaliases varnishadm',
    fixed('high', 'system.server', 'changes a running server'),
  ],
  [
    'tc bridge iw wpa_cli rfkill hostapd iscsiadm multipath drbdadm edquota setquota semodule apparmor_parser grubby kmutil bless asr sysadminctl profiles',
    fixed('high', 'system.settings', 'changes the machine’s settings'),
  ],
  ['pt-query-digest pt-summary pt-mysql-summary pt-duplicate-key-checker', READS],
  [
    'pt-online-schema-change pt-archiver gh-ost pt-table-sync myloader pgloader',
    fixed('high', 'database.change', 'changes tables of a running database'),
  ],
  ['pt-table-checksum mydumper xtrabackup expdp', fixed('low', 'database.dump', 'reads a whole database')],
  ['sqlplus impdp rman bcp isql db2', fixed('medium', 'database.session', 'opens a session with a database')],
  ['telegraf otelcol fluent-bit fluentd filebeat vector logstash', SMALL],
]
