import { hasOption } from '../../arguments/argument-parser.ts'
import { finding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { byRows, verbRater } from '../assessor/verb-table.ts'

const READS = 'only reads'

/** `restic`, `borg`, `kopia`, `duplicity`, `bup`, `rustic`, `borgmatic`. */
export const assessBackup = byRows({
  family: 'backups',
  valued:
    '-r --repo --repository-file --password-file -p --tag --host -H --path --keep-last --keep-daily --keep-weekly ' +
    '--keep-monthly --keep-yearly --keep-within --target -t --exclude -e --include -i --prefix -P --glob-archives -a ' +
    '--remote-path --compression -C --comment --last --config -c --config-file --older-than',
  dry: '-n',
  rows: [
    [
      'none',
      'yes',
      READS,
      'snapshots, list, ls, stats, check, diff, find, info, cat, version, help, rlist, rinfo, collection-status, verify, key list, snapshot list, repository status, policy list, policy show, compare, borgmatic list, list-current-files, content list',
    ],
    [
      'low',
      'yes',
      'prepares a repository',
      'init, rcreate, repo-create, unlock, break-lock, cache, self-update, mount, umount, generate, config validate, repository connect, repository disconnect',
    ],
    [
      'medium',
      'yes',
      'makes a backup',
      'backup, create, copy, snapshot create, snapshot, full, incremental, incr, export-tar, transfer',
    ],
    ['high', 'partly', 'writes old files over new ones', 'restore, extract, dump, snapshot restore, import-tar'],
    [
      'high',
      'partly',
      'changes backups',
      'rewrite, tag, migrate, rebuild-index, repair, recreate, rename, key add, key change-passphrase, key, config, policy set, upgrade, recover, repository change-password',
    ],
    [
      'high',
      'no',
      'drops old backups',
      'prune, compact, forget, expire, maintenance run, maintenance, snapshot expire, snapshot delete',
      'many',
    ],
    [
      'critical',
      'no',
      'deletes backups',
      'delete, rdelete, repo-delete, remove-older-than, remove-all-but-n-full, remove-all-inc-of-but-n-full, cleanup, key remove, repository delete',
      'many',
    ],
  ],
  flags: [
    {
      verbs: 'forget',
      flags: '--prune --unsafe-allow-remove-all',
      level: 'critical',
      back: 'no',
      says: 'deletes backups for good',
      reach: 'many',
    },
    { verbs: 'check', flags: '--repair', level: 'high', back: 'no', says: 'may drop what it cannot repair' },
  ],
  otherwise: 'high',
})

/** `velero`. */
export const assessVelero = byRows({
  family: 'backups',
  valued:
    '-n --namespace --from-backup --from-schedule --include-namespaces --exclude-namespaces --selector -l --ttl --schedule -o --output',
  rows: [
    [
      'none',
      'yes',
      READS,
      'get, describe, version, backup get, backup describe, backup logs, restore get, restore describe, restore logs, schedule get, backup-location get, plugin get, client config get, repo get, debug, completion',
    ],
    ['medium', 'yes', 'makes a backup', 'backup create, create backup, backup download, client config set, create'],
    [
      'high',
      'partly',
      'changes what runs in a cluster',
      'restore create, create restore, restore, schedule create, schedule pause, schedule unpause, install, backup-location create, backup-location set, plugin add, plugin remove, snapshot-location create, create schedule',
    ],
    [
      'critical',
      'no',
      'deletes backups',
      'backup delete, delete backup, delete, schedule delete, backup-location delete, uninstall, delete schedule',
      'many',
    ],
    ['high', 'no', 'deletes the record of a restore', 'restore delete, delete restore'],
  ],
  otherwise: 'high',
})

const rclone = verbRater({
  family: 'backups',
  valued:
    '--config --transfers --checkers --exclude --include --filter --filter-from --bwlimit --max-age --min-age --log-level --log-file -v --drive-root-folder-id --backup-dir --suffix --addr --user --pass',
  plain: '-v -vv -P --progress -i --interactive',
  dry: '-n',
  rows: [
    [
      'none',
      'yes',
      READS,
      'ls, lsl, lsd, lsf, lsjson, size, check, cryptcheck, md5sum, sha1sum, hashsum, cat, tree, version, listremotes, about, config show-paths, config file, config paths, ncdu, help, checksum, selfupdate --check, genautocomplete, completion, test, backend features, obscure',
    ],
    ['high', 'no', 'prints credentials', 'config show, config dump, config redacted, reveal'],
    ['low', 'yes', 'makes a folder', 'mkdir, touch, rmdir'],
    [
      'medium',
      'partly',
      'copies files',
      'copy, copyto, copyurl, rcat, bisync, settier, config, config create, config update, config reconnect, authorize, selfupdate, cryptdecode, archive',
    ],
    ['high', 'partly', 'moves files away from where they are', 'move, moveto, dedupe'],
    ['high', 'no', 'makes the target like the source, and deletes the rest', 'sync', 'many'],
    ['high', 'no', 'deletes files', 'delete, deletefile, rmdirs, config delete, backend'],
    ['critical', 'no', 'deletes a folder with all that is in it', 'purge, cleanup', 'all'],
    ['high', 'yes', 'opens files to the network', 'serve, mount, rcd, rc, link'],
  ],
  otherwise: 'high',
})

const ASKS = new Set(['-i', '--interactive'])

/** `rclone`. */
export const assessRclone: Assess = (facts) => {
  const { finding: found, reading } = rclone(facts)
  return found.level === 'critical' && hasOption(reading, ASKS)
    ? finding('high', found.rule, found.text, found.reversible, found.extent)
    : found
}

/** Snapshots of a machine: `timeshift`, `snapper`, `tmutil`. */
export const assessSnapshots = byRows({
  family: 'backups',
  shape: 'compound',
  valued: '-c --config --comments --tags --snapshot -d',
  rows: [
    [
      'none',
      'yes',
      READS,
      'list, list-configs, status, diff, compare, listbackups, destinationinfo, latestbackup, listlocalsnapshots, get-config, isexcluded, uniquesize, calculatedrift, version, machinedirectory',
    ],
    [
      'medium',
      'yes',
      'makes a snapshot',
      'create, localsnapshot, startbackup, snapshot, addexclusion, modify, stopbackup',
    ],
    [
      'high',
      'yes',
      'changes when backups are made',
      'enable, disable, setdestination, create-config, set-config, removedestination, setquota, removeexclusion, enablelocal, disablelocal',
    ],
    ['high', 'partly', 'puts old files back', 'restore, undochange, rollback, inheritbackup, associatedisk'],
    [
      'critical',
      'no',
      'deletes backups',
      'delete, deletelocalsnapshots, thinlocalsnapshots, delete-config, cleanup',
      'many',
    ],
  ],
  flags: [
    { flags: '--list', level: 'none', back: 'yes', says: READS },
    { flags: '--delete --delete-all', level: 'critical', back: 'no', says: 'deletes backups' },
    { flags: '--restore', level: 'critical', back: 'partly', says: 'puts the whole machine back' },
  ],
  otherwise: 'high',
})
