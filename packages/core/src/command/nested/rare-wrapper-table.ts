import type { Wrapper } from './wrapper-table.ts'

const PLAIN: Wrapper = {}
const SKIPS: Wrapper = { skip: 1 }
const DASHES: Wrapper = { dashes: true }
/** The loader itself, told which program to load. */
const LOADER: Wrapper = { long: ['library-path', 'preload', 'audit', 'argv0', 'glibc-hwcaps-prepend', 'inhibit-rpath'] }
const MPI: Wrapper = { short: 'ncHx', long: ['hostfile', 'host', 'np', 'map-by', 'mca'] }
/** Terminals: what follows `-e` or `--` runs in a window of its own. */
const TERMINAL: Wrapper = { short: 'T', long: ['title', 'class', 'working-directory', 'directory'], tail: ['-e', '-x'] }

/** Only the value of such an option is a command. */
const code = (...names: readonly string[]) => ({ code: names, permutes: true, onlyCode: true })

/** `-x` runs a verb of cargo's own, `-s` a shell command. */
export const CARGO_WATCH: Wrapper = {
  short: 'sxwidCEBF',
  long: ['shell', 'exec', 'watch', 'ignore', 'delay', 'env', 'features', 'workdir'],
  code: ['-s', '--shell'],
}

const named = (names: string, wrapper: Wrapper): (readonly [string, Wrapper])[] =>
  names.split(' ').map((name) => [name, wrapper] as const)

/** Programs of one trade or another that start the command they are given, beside the everyday wrappers. */
export const RUNNER_ROWS: readonly (readonly [string, Wrapper])[] = [
  ...named('dbus-launch catchsegv run-one run-this-one keep-one-running dumb-init heaptrack shx vault-env lima', PLAIN),
  ...named('envchain s6-setuidgid setuidgid gosu su-exec envdir s6-envdir setlock', SKIPS),
  ...named(
    'onchange wait-for-it wait-for-it.sh wait-for wait-for.sh tini docker-entrypoint.sh reflex entrypoint.sh',
    DASHES,
  ),
  ...named('ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3 ld64.so.2', LOADER),
  ...named('ld-musl-x86_64.so.1 ld-musl-aarch64.so.1 ld-linux-riscv64-lp64d.so.1', LOADER),
  ...named('mpirun mpiexec', MPI),
  ...named('xterm uxterm urxvt rxvt konsole xfce4-terminal mate-terminal terminator st foot tilix', TERMINAL),
  ...named('gnome-terminal kitty alacritty ghostty', { ...TERMINAL, dashes: true }),
  ['autossh', { short: 'MBbcDEeFIiJLlmOopPQRSWw', skip: 1, joined: true, elsewhere: true, permutes: true }],
  ['chpst', { short: 'ubeomdnsafctlLr' }],
  ['softlimit', { short: 'adflmnoprst' }],
  ['daemonize', { short: 'acelopuE' }],
  ['tsp', { short: 'SCDWNLEa' }],
  ['srun', { short: 'nNcptJowAGCDdeimqrTx', long: ['ntasks', 'nodes', 'partition', 'time', 'gres', 'mem', 'account'] }],
  ['sbatch', { long: ['wrap'], ...code('--wrap') }],
  ['retry', { short: 'tdms', long: ['times', 'delay', 'until', 'while', 'tries', 'max', 'sleep'] }],
  ...named('nodemon', { short: 'xwied', long: ['exec', 'watch', 'ignore', 'ext', 'delay'], ...code('-x', '--exec') }),
  ...named('tsc-watch tsup', { long: ['onSuccess', 'onFailure'], ...code('--onSuccess', '--onFailure') }),
  ...named('chokidar', { short: 'cdi', long: ['command'], ...code('-c', '--command') }),
  ...named('cargo-watch', CARGO_WATCH),
]
