import type { OptionTable } from '../programs/option-parser.ts'
import { RUNNER_ROWS } from './rare-wrapper-table.ts'

/** A program that runs the command it is given. */
export interface Wrapper extends OptionTable {
  /** Words before the command: `timeout 5 cmd` has one. */
  readonly skip?: number
  /** `NAME=value` words may stand before the command. */
  readonly assigns?: boolean
  /** Options under which nothing inside is run, or something else is. */
  readonly queries?: readonly string[]
  /** Options whose value is shell code. */
  readonly code?: readonly string[]
  /** The words are joined and given to a shell. */
  readonly joined?: boolean
  /** The command runs in another folder, host or container. */
  readonly elsewhere?: boolean
  /** Options that change the folder. */
  readonly folder?: readonly string[]
  /** Options may also follow the skipped words. */
  readonly permutes?: boolean
  /** Words left over are no command of its own. */
  readonly onlyCode?: boolean
  /** The command stands behind `--`, whatever stands before. */
  readonly dashes?: boolean
  /** Options behind which every word is the command's. */
  readonly tail?: readonly string[] | undefined
}

const PLAIN: Wrapper = {}

/** The options of `xargs`; the words it runs are read in a file of its own. */
export const XARGS: Wrapper = {
  short: 'adEILnPsR',
  long: ['arg-file', 'delimiter', 'max-args', 'max-procs', 'max-chars', 'process-slot-var'],
}

/** Wrappers whose command follows their own options. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ...RUNNER_ROWS,
  [
    'sudo',
    {
      short: 'CDghpRrTtUu',
      long: [
        'close-from',
        'chdir',
        'group',
        'host',
        'prompt',
        'chroot',
        'role',
        'type',
        'command-timeout',
        'other-user',
        'user',
      ],
      assigns: true,
      folder: ['-D', '--chdir', '-R', '--chroot'],
    },
  ],
  ['doas', { short: 'Cu' }],
  ['pkexec', { long: ['user'] }],
  [
    'env',
    {
      short: 'uCS',
      long: ['unset', 'chdir', 'split-string'],
      assigns: true,
      folder: ['-C', '--chdir'],
      code: ['-S', '--split-string'],
    },
  ],
  ['nice', { short: 'n', long: ['adjustment'] }],
  ['ionice', { short: 'cnpPu', long: ['class', 'classdata', 'pid', 'pgid', 'uid'], queries: ['-p', '--pid'] }],
  [
    'chrt',
    { short: 'TPD', long: ['sched-runtime', 'sched-period', 'sched-deadline'], skip: 1, queries: ['-p', '--pid'] },
  ],
  ['taskset', { skip: 1, queries: ['-p', '--pid'] }],
  ['timeout', { short: 'ks', long: ['kill-after', 'signal'], skip: 1 }],
  ['gtimeout', { short: 'ks', long: ['kill-after', 'signal'], skip: 1 }],
  ['nohup', PLAIN],
  ['setsid', PLAIN],
  ['stdbuf', { short: 'ioe', long: ['input', 'output', 'error'] }],
  ['unbuffer', PLAIN],
  ['time', { short: 'fo', long: ['format', 'output'] }],
  ['command', { queries: ['-v', '-V'] }],
  ['builtin', PLAIN],
  ['exec', { short: 'a' }],
  ['noglob', PLAIN],
  ['nocorrect', PLAIN],
  ['xargs', XARGS],
  ['watch', { short: 'nq', long: ['interval', 'equexit'], joined: true }],
  [
    'flock',
    {
      short: 'wEc',
      long: ['wait', 'timeout', 'conflict-exit-code', 'command'],
      skip: 1,
      code: ['-c', '--command'],
      permutes: true,
    },
  ],
  [
    'script',
    {
      short: 'cEIOBTmo',
      long: ['command', 'echo', 'log-in', 'log-out', 'log-io', 'log-timing', 'logging-format', 'output-limit'],
      skip: 1,
      code: ['-c', '--command'],
      permutes: true,
    },
  ],
  [
    'unshare',
    {
      short: 'SGRw',
      long: ['setuid', 'setgid', 'root', 'wd', 'map-user', 'map-group', 'propagation', 'setgroups'],
      elsewhere: true,
    },
  ],
  ['nsenter', { short: 'tSG', long: ['target', 'setuid', 'setgid'], elsewhere: true }],
  ['chroot', { long: ['userspec', 'groups'], skip: 1, elsewhere: true }],
  [
    'setpriv',
    { long: ['reuid', 'regid', 'groups', 'inh-caps', 'ambient-caps', 'bounding-set', 'securebits', 'pdeathsig'] },
  ],
  [
    'runuser',
    {
      short: 'ugGsc',
      long: ['user', 'group', 'supp-group', 'shell', 'command'],
      code: ['-c', '--command'],
      permutes: true,
      onlyCode: true,
    },
  ],
  [
    'su',
    {
      short: 'cgGsw',
      long: ['command', 'group', 'supp-group', 'shell', 'whitelist-environment'],
      code: ['-c', '--command'],
      permutes: true,
      onlyCode: true,
    },
  ],
  ['sg', { short: 'c', skip: 1, joined: true, code: ['-c'], permutes: true }],
  ['busybox', PLAIN],
  ['toybox', PLAIN],
  ['strace', { short: 'aeEIoOpPsSuUbX', long: ['attach', 'output', 'trace', 'user', 'string-limit'] }],
  ['ltrace', { short: 'aAeDFlnopsuwx', long: ['output', 'library'] }],
  ['gdb', { short: 'xp', queries: ['-p'] }],
  ['valgrind', PLAIN],
  [
    'systemd-run',
    {
      short: 'puEHMt',
      long: [
        'unit',
        'property',
        'description',
        'slice',
        'uid',
        'gid',
        'nice',
        'working-directory',
        'setenv',
        'host',
        'machine',
        'on-calendar',
        'on-active',
      ],
    },
  ],
  ['systemd-inhibit', { long: ['what', 'who', 'why', 'mode'] }],
  ['caffeinate', { short: 'tw' }],
  ['setarch', { skip: 1 }],
  ['linux32', PLAIN],
  ['linux64', PLAIN],
  ['chronic', PLAIN],
  ['eatmydata', PLAIN],
  ['numactl', { short: 'NmipC', long: ['cpunodebind', 'membind', 'physcpubind', 'interleave', 'preferred'] }],
  ['prlimit', PLAIN],
  ['cgexec', { short: 'g' }],
  ['proxychains', { short: 'f' }],
  ['proxychains4', { short: 'f' }],
  ['torsocks', PLAIN],
  ['torify', PLAIN],
  ['dtach', { short: 'Er', skip: 1 }],
  ['cross-env', { assigns: true }],
  ['cross-env-shell', { assigns: true, joined: true }],
  ['env-cmd', { short: 'fer', long: ['file', 'environments'] }],
  ['dotenv', { short: 'efv' }],
  ['watchexec', { short: 'efwip', long: ['exts', 'filter', 'watch', 'ignore', 'shell', 'signal', 'debounce'] }],
  ['mosh', { long: ['ssh', 'predict', 'server', 'port'], short: 'p', skip: 1, elsewhere: true, permutes: true }],
  ['pdsh', { short: 'wxlufRtg', joined: true, elsewhere: true }],
  ['pssh', { short: 'hHltpoe', joined: true, elsewhere: true }],
  [
    'wsl',
    {
      short: 'du',
      long: ['distribution', 'user'],
      queries:
        '-l --list --shutdown --unregister --install --import --export --status --update --set-default -s -t --terminate --set-version --version -v'.split(
          ' ',
        ),
    },
  ],
  ['nix-shell', { short: 'pAIE', long: ['run', 'command', 'packages'], code: ['--run', '--command'], onlyCode: true }],
  ['fakeroot', PLAIN],
  ['firejail', PLAIN],
  ['xvfb-run', { short: 'efnsp', long: ['server-args', 'server-num', 'error-file', 'auth-file'] }],
  ['dbus-run-session', PLAIN],
  ['rlwrap', PLAIN],
  ['entr', PLAIN],
  ['ssh', { short: 'BbcDEeFIiJLlmOopPQRSWw', skip: 1, joined: true, elsewhere: true, permutes: true }],
  ['sshpass', { short: 'pfdP' }],
  [
    'npx',
    { short: 'pcw', long: ['package', 'call', 'workspace', 'prefix', 'cache', 'registry'], code: ['-c', '--call'] },
  ],
  ['bunx', { short: 'p', long: ['package'] }],
  [
    'uvx',
    {
      short: 'p',
      long: ['from', 'with', 'python', 'index', 'index-url', 'extra-index-url', 'with-editable', 'with-requirements'],
    },
  ],
])

/** Programs that take the same options as another. */
export const WRAPPER_ALIASES: ReadonlyMap<string, string> = new Map([
  ['podman', 'docker'],
  ['nerdctl', 'docker'],
  ['docker-compose', 'compose'],
  ['podman-compose', 'compose'],
  ['oc', 'kubectl'],
  ['gxargs', 'xargs'],
  ['genv', 'env'],
  ['fdfind', 'fd'],
  ['bwrap', 'firejail'],
])
