import { byRows } from '../assessor/verb-table.ts'

const READS = 'only reads'
const SECRET = 'prints a secret'

/** `vault`, `bao`. */
export const assessVault = byRows({
  family: 'secrets',
  oneDash: true,
  valued:
    '-address -namespace -format -field -mount -method -path -ca-cert -version -versions -token-policy -policy -role',
  rows: [
    [
      'none',
      'yes',
      READS,
      'status, version, list, kv list, secrets list, auth list, policy list, policy read, token lookup, token capabilities, audit list, path-help, operator members, operator key-status, plugin list, plugin info, namespace list, lease lookup, kv metadata get, operator raft list-peers, monitor, debug, policy fmt, events',
    ],
    ['low', 'yes', 'runs a helper here', 'server, agent, proxy, ssh, print'],
    ['medium', 'yes', 'signs in', 'login, logout, token renew, lease renew, unwrap'],
    ['high', 'no', SECRET, 'read, kv get, kv export, token create, print token, pki, transit'],
    [
      'high',
      'partly',
      'changes what is kept secret',
      'write, kv put, kv patch, kv undelete, kv rollback, kv enable-versioning, kv metadata put, secrets enable, secrets tune, secrets move, auth enable, auth tune, policy write, audit enable, operator unseal, operator rotate, operator rekey, operator init, patch, namespace create, plugin register, operator generate-root, operator step-down',
    ],
    [
      'high',
      'no',
      'takes away what is kept secret',
      'delete, kv delete, kv destroy, kv metadata delete, token revoke, lease revoke, policy delete, audit disable, operator seal, namespace delete, plugin deregister',
    ],
    [
      'critical',
      'no',
      'destroys every secret of a store',
      'secrets disable, auth disable, operator raft remove-peer, operator raft snapshot restore',
      'all',
    ],
  ],
  otherwise: 'high',
})

/** `op`, `bw`, `lpass`, `pass`, `gopass`, `doppler`, `infisical`, `chamber`, `keyring`, `secret-tool`: keepers of passwords. */
export const assessPasswords = byRows({
  family: 'secrets',
  valued:
    '--account --vault --format --fields --session --project -p --config -c --categories --tags --name --env --path',
  bare: ['none', 'lists names'],
  rows: [
    [
      'none',
      'yes',
      READS,
      'ls, list, find, search, status, whoami, item list, item ls, vault list, account list, user list, document list, version, help, grep-names, account get, projects, configs, environments, secrets --only-names, items',
    ],
    [
      'low',
      'yes',
      'runs a command with secrets set',
      'run, exec, unlock, lock, sync, generate, otp --list, inject-check, plugin, git, setup, login status',
    ],
    [
      'medium',
      'yes',
      'signs in or out',
      'signin, signout, login, logout, init, account add, configure, account forget, update, service-account',
    ],
    [
      'high',
      'no',
      SECRET,
      'read, show, get, item get, document get, inject, otp, grep, export, lookup, secrets, secrets get, secrets download, env, ssh, receive, get password, get item, cat, item template, run --print, read-env',
    ],
    [
      'high',
      'partly',
      'changes what is kept secret',
      'insert, add, edit, item create, item edit, create, document create, store, set, write, secrets set, secrets upload, mv, cp, rename, import, move, vault create, user provision, restore, connect, item move, share, item share, send, group, recipients, vault user, vault group',
    ],
    [
      'high',
      'no',
      'takes away what is kept secret',
      'rm, remove, delete, item delete, document delete, clear, del, secrets delete, vault delete, user suspend, user delete, trash',
    ],
  ],
  otherwise: 'high',
})

/** `security` of macOS. */
export const assessKeychain = byRows({
  family: 'secrets',
  shape: 'compound',
  valued: '-a -s -l -k -p -D -c -r -t -P -T -v',
  rows: [
    [
      'none',
      'yes',
      READS,
      'find-identity, list-keychains, default-keychain, find-certificate, verify-cert, show-keychain-info, dump-trust-settings, cms, error, help, login-keychain, leaks, policy',
    ],
    ['low', 'yes', 'locks a keychain', 'lock-keychain'],
    [
      'high',
      'partly',
      'changes a keychain',
      'add-generic-password, add-internet-password, add-certificates, import, create-keychain, set-keychain-settings, set-keychain-password, set-key-partition-list, create-keypair, authorizationdb, set-identity-preference, smartcards',
    ],
    [
      'high',
      'yes',
      'changes which certificates are trusted',
      'add-trusted-cert, trust-settings-import, trust-settings-export, user-trust-settings-enable',
    ],
    [
      'high',
      'no',
      SECRET,
      'find-generic-password, find-internet-password, dump-keychain, export, unlock-keychain, get-identity-preference',
    ],
    [
      'high',
      'no',
      'takes away from a keychain',
      'delete-generic-password, delete-internet-password, delete-keychain, delete-certificate, delete-identity, remove-trusted-cert',
    ],
  ],
  flags: [
    { verbs: 'find-generic-password, find-internet-password', flags: '-w -g', level: 'high', back: 'no', says: SECRET },
  ],
  otherwise: 'high',
})
