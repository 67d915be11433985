import { wordSet } from '../../arguments/word-set.ts'
import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag, anyWord } from '../assessor/assessor.ts'
import { byRows } from '../assessor/verb-table.ts'

const READS = 'only reads'
const RUNS = 'starts or stops a machine inside this one'
const CHANGES = 'changes a machine inside this one'
const DELETES = 'deletes or cuts off a machine inside this one, or a state of it'

/** libvirt: machines, their disks and their networks. */
export const assessVirsh = byRows({
  family: 'machines',
  valued: '-c --connect -r --domain',
  otherwise: 'medium',
  shape: 'compound',
  rows: [
    [
      'none',
      'yes',
      READS,
      'list, dominfo, domstate, dumpxml, domblklist, domiflist, domifaddr, domstats, domid, domuuid, nodeinfo, capabilities, hostname, ' +
        'uri, vcpuinfo, vncdisplay, net-list, net-info, net-dumpxml, pool-list, pool-info, vol-list, vol-info, snapshot-list, ' +
        'snapshot-info, freecell, sysinfo, domdisplay, schedinfo, help, version',
    ],
    ['low', 'yes', RUNS, 'start, resume, net-start, pool-start, pool-refresh'],
    [
      'medium',
      'partly',
      CHANGES,
      'shutdown, reboot, suspend, save, restore, define, edit, console, autostart, setvcpus, setmem, attach-disk, attach-device, ' +
        'attach-interface, detach-disk, detach-device, snapshot-create, snapshot-create-as, net-define, pool-define, vol-create, ' +
        'vol-create-as, vol-clone, vol-resize, create, managedsave',
    ],
    [
      'high',
      'no',
      DELETES,
      'destroy, reset, undefine, snapshot-delete, snapshot-revert, net-destroy, net-undefine, pool-destroy, pool-undefine, migrate, ' +
        'send-key, qemu-monitor-command, qemu-agent-command',
    ],
    ['critical', 'no', 'destroys the disks of machines', 'vol-delete, vol-wipe, pool-delete', 'several'],
  ],
  flags: [
    {
      verbs: 'undefine',
      flags: '--remove-all-storage --storage --wipe-storage',
      level: 'critical',
      back: 'no',
      says: 'deletes a machine with its disks',
    },
  ],
})

const vbox = byRows({
  family: 'machines',
  otherwise: 'medium',
  rows: [
    [
      'none',
      'yes',
      READS,
      'list, showvminfo, showmediuminfo, guestproperty get, guestproperty enumerate, metrics, getextradata',
    ],
    ['low', 'yes', RUNS, 'startvm'],
    [
      'medium',
      'partly',
      CHANGES,
      'createvm, modifyvm, clonevm, registervm, import, export, snapshot, sharedfolder, storageattach, storagectl, createmedium, ' +
        'clonemedium, modifymedium, natnetwork, hostonlyif, controlvm, unregistervm, movevm, setproperty, setextradata',
    ],
    ['high', 'unknown', 'runs commands inside a machine', 'guestcontrol, debugvm'],
  ],
  flags: [
    {
      verbs: 'unregistervm, closemedium',
      flags: '--delete',
      level: 'high',
      back: 'no',
      says: 'deletes a machine with its disks',
    },
  ],
})
const LOSES = wordSet('delete restore poweroff reset')

/** VirtualBox. */
export const assessVirtualBox: Assess = (facts) =>
  /^(?:snapshot|controlvm)$/.test(facts.part.args[0]?.value ?? '') && anyWord(facts.part, LOSES)
    ? finding('high', 'machines.high', `${facts.program} ${DELETES}`, 'no')
    : vbox(facts)

/** LXD and Incus: system containers. What `exec` runs is a part of its own. */
export const assessSystemContainers = byRows({
  family: 'machines',
  otherwise: 'medium',
  rows: [
    [
      'none',
      'yes',
      READS,
      'list, ls, info, version, image list, image info, config show, config get, network list, network show, storage list, ' +
        'storage info, storage volume list, profile list, profile show, remote list, project list, cluster list, operation list, warning list, monitor',
    ],
    ['low', 'yes', RUNS, 'start, restart, exec, console, shell, snapshot, snapshot create'],
    ['medium', 'partly', RUNS, 'stop, pause'],
    [
      'medium',
      'partly',
      CHANGES,
      'launch, init, create, copy, cp, move, mv, rename, publish, file push, file pull, file edit, config set, config edit, config device add, ' +
        'profile create, profile edit, profile assign, network create, storage create, image copy, image import, image export, export, import, remote add',
    ],
    [
      'high',
      'no',
      DELETES,
      'delete, rm, restore, snapshot delete, snapshot restore, image delete, image rm, profile delete, network delete, storage volume delete, ' +
        'project delete, cluster remove, rebuild, file delete',
    ],
    ['critical', 'no', 'destroys a pool with all that is in it', 'storage delete, storage rm', 'all'],
  ],
  flags: [
    {
      verbs: 'config set, launch, init',
      flags: '--privileged',
      level: 'high',
      back: 'yes',
      says: 'gives a container the powers of the host',
    },
  ],
})

/** Proxmox: machines of a server. */
export const assessProxmox = byRows({
  family: 'machines',
  otherwise: 'high',
  rows: [
    ['none', 'yes', READS, 'list, status, config, pending, showcmd, listsnapshot, df, cpusets, ls, get, help, usage'],
    ['medium', 'yes', RUNS, 'start, resume, exec, enter, snapshot, console, terminal, unlock, push, pull'],
    ['high', 'partly', RUNS, 'stop, shutdown, reboot, reset, suspend'],
    [
      'high',
      'no',
      DELETES,
      'rollback, delsnapshot, restore, migrate, set, create, clone, resize, template, importdisk, move_disk, move-disk',
    ],
    ['critical', 'no', 'destroys a machine with its disks', 'destroy', 'one'],
  ],
})

/** ESXi and vSphere by their command lines. */
export const assessVsphere = byRows({
  family: 'machines',
  otherwise: 'high',
  valued: '-s --server -u --username -p --password',
  rows: [
    [
      'none',
      'yes',
      READS,
      'about, ls, find, vm.info, host.info, datastore.ls, datastore.info, events, tasks, version, env',
    ],
    ['high', 'no', DELETES, 'vm process kill, vm.power, snapshot.remove, snapshot.revert'],
    [
      'critical',
      'no',
      'stops the host, or destroys machines',
      'system shutdown, vm.destroy, datastore.rm, object.destroy',
      'several',
    ],
  ],
})

/** IPMI: the power of machines, past their systems. */
export const assessIpmi = byRows({
  family: 'machines',
  otherwise: 'high',
  valued: '-H -U -P -I -L -p -E -f -C -t',
  bare: ['none', 'shows its help'],
  rows: [
    [
      'none',
      'yes',
      READS,
      'sdr, sdr list, sensor, sensor list, sel, sel list, sel info, sel elist, chassis status, chassis power status, power status, lan print, fru, fru print, ' +
        'mc info, user list, session info, getsysinfo, dcmi power reading',
    ],
    ['high', 'yes', 'turns a machine on', 'power on, chassis power on, chassis bootdev, chassis identify'],
    ['high', 'no', 'clears the log of a machine', 'sel clear'],
    [
      'critical',
      'no',
      'cuts the power of a machine',
      'power off, power cycle, power reset, power soft, chassis power off, chassis power cycle, chassis power reset, chassis power soft, power diag',
    ],
  ],
})

/** Windows' Linux inside: what it runs is a part of its own. */
export const assessWsl: Assess = ({ part, program, hasInner }) => {
  if (anyWord(part, WSL_DELETES))
    return finding('critical', 'machines.critical', `${program} deletes a whole system`, 'no')
  if (anyWord(part, WSL_CHANGES)) return finding('medium', 'machines.medium', `${program} ${CHANGES}`)
  if (anyWord(part, WSL_READS)) return finding('none', 'machines.none', `${program} ${READS}`)
  const session = !hasInner && !anyFlag(part, '-e', '--exec')
  return session
    ? finding('medium', 'machines.session', `${program} opens a session`)
    : finding('low', 'machines.low', `${program} runs the command shown in another system`)
}

const WSL_DELETES = wordSet('--unregister')
const WSL_CHANGES = wordSet(
  '--shutdown -t --terminate --install --import --export --set-default -s --set-version --update --mount --unmount',
)
const WSL_READS = wordSet('-l --list --status -v --version')
