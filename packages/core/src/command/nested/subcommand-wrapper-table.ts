import { CARGO_WATCH } from './rare-wrapper-table.ts'
import { WRAPPERS, type Wrapper } from './wrapper-table.ts'

const PLAIN: Wrapper = {}
const UVX: Wrapper = WRAPPERS.get('uvx') ?? PLAIN
const GCLOUD_SSH: Wrapper = {
  long: ['command', 'zone', 'project', 'ssh-flag', 'ssh-key-file', 'container'],
  code: ['--command'],
  permutes: true,
  onlyCode: true,
  elsewhere: true,
}
/** What follows `--` runs in a container. */
const KUBECTL_RUN: Wrapper = {
  short: 'nl',
  long: ['image', 'namespace', 'overrides', 'labels', 'env', 'port', 'restart', 'target', 'context'],
  skip: 1,
  elsewhere: true,
  permutes: true,
}
const PERF: Wrapper = {
  short: 'eorIpPtuCGDMcFj',
  long: ['event', 'output', 'repeat', 'pid', 'tid', 'cpu', 'call-graph', 'delay'],
}
const TMUX_NEW: Wrapper = { short: 'cefFnstxy', joined: true }

/** Wrappers behind a verb: `docker exec box cmd`. Keyed by program and verb. */
export const VERB_WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    'docker exec',
    { short: 'euwd', long: ['env', 'env-file', 'user', 'workdir', 'detach-keys'], skip: 1, elsewhere: true },
  ],
  [
    'docker run',
    {
      short: 'acehlmpuvw',
      long: (
        'add-host annotation attach blkio-weight cap-add cap-drop cgroup-parent cgroupns cidfile cpu-period ' +
        'cpu-quota ' +
        'cpu-shares cpus cpuset-cpus cpuset-mems device device-cgroup-rule dns dns-option dns-search domainname ' +
        'entrypoint ' +
        'env env-file expose gpus group-add health-cmd health-interval health-retries health-timeout hostname ip ' +
        'ip6 ipc ' +
        'isolation label label-file link log-driver log-opt mac-address memory memory-reservation memory-swap ' +
        'mount name ' +
        'network network-alias net oom-score-adj pid pids-limit platform publish pull restart runtime ' +
        'security-opt shm-size ' +
        'stop-signal stop-timeout storage-opt sysctl tmpfs ulimit user userns uts volume volume-driver ' +
        'volumes-from workdir'
      ).split(' '),
      skip: 1,
      elsewhere: true,
    },
  ],
  [
    'kubectl exec',
    {
      short: 'cnf',
      long: ['container', 'namespace', 'filename', 'context', 'kubeconfig', 'pod-running-timeout'],
      skip: 1,
      elsewhere: true,
      permutes: true,
    },
  ],
  ['compose exec', { short: 'euw', long: ['env', 'user', 'workdir', 'index'], skip: 1, elsewhere: true }],
  [
    'compose run',
    {
      short: 'eulpvw',
      long: ['env', 'user', 'workdir', 'label', 'name', 'publish', 'volume', 'entrypoint'],
      skip: 1,
      elsewhere: true,
    },
  ],
  ['npm exec', { short: 'cpw', long: ['package', 'call', 'workspace'], code: ['-c', '--call'] }],
  ['npm x', { short: 'cpw', long: ['package', 'call', 'workspace'], code: ['-c', '--call'] }],
  ['pnpm exec', { short: 'C', long: ['filter', 'dir'] }],
  ['pnpm dlx', { long: ['package', 'allow-build'] }],
  ['yarn exec', PLAIN],
  ['yarn dlx', { short: 'p', long: ['package'] }],
  ['bun x', PLAIN],
  [
    'uv run',
    {
      short: 'pm',
      long: [
        'with',
        'python',
        'extra',
        'group',
        'package',
        'project',
        'directory',
        'env-file',
        'index',
        'with-requirements',
        'with-editable',
      ],
    },
  ],
  ['pipx run', { long: ['spec', 'python', 'index-url', 'pip-args', 'with'] }],
  ['poetry run', PLAIN],
  ['pipenv run', PLAIN],
  ['rye run', PLAIN],
  ['hatch run', PLAIN],
  ['bundle exec', PLAIN],
  ['conda run', { short: 'np', long: ['name', 'prefix', 'cwd'] }],
  ['direnv exec', { skip: 1 }],
  ['mise exec', { short: 'c', long: ['command'], code: ['-c', '--command'], dashes: true }],
  ['mise x', { short: 'c', long: ['command'], code: ['-c', '--command'], dashes: true }],
  ['rtx exec', { short: 'c', long: ['command'], code: ['-c', '--command'], dashes: true }],
  ['chamber exec', { dashes: true }],
  ['teller run', PLAIN],
  ['op run', { long: ['env-file'] }],
  ['doppler run', { short: 'pc', long: ['project', 'config', 'command'], code: ['--command'] }],
  ['dotenvx run', { short: 'fe', long: ['env-file', 'env'] }],
  ['countersign exec', { long: ['session', 'agent', 'cwd', 'timeout', 'said', 'home'] }],
  ['uv tool run', UVX],
  ['vagrant ssh', { short: 'c', long: ['command'], code: ['-c', '--command'], onlyCode: true, elsewhere: true }],
  ['gcloud compute ssh', GCLOUD_SSH],
  ['gcloud compute tpus', PLAIN],
  [
    'fly ssh console',
    { short: 'Ca', long: ['command', 'app'], code: ['-C', '--command'], onlyCode: true, elsewhere: true },
  ],
  [
    'flyctl ssh console',
    { short: 'Ca', long: ['command', 'app'], code: ['-C', '--command'], onlyCode: true, elsewhere: true },
  ],
  ['heroku run', { short: 'ars', long: ['app', 'remote', 'size', 'type'], joined: true, elsewhere: true }],
  ['lxc exec', { long: ['env', 'cwd', 'user', 'group', 'mode'], skip: 1, elsewhere: true, permutes: true }],
  ['pct exec', { skip: 1, elsewhere: true, permutes: true }],
  ['adb shell', { joined: true, elsewhere: true }],
  ['adb exec-out', { joined: true, elsewhere: true }],
  ['incus exec', { long: ['env', 'cwd', 'user', 'group', 'mode'], skip: 1, elsewhere: true, permutes: true }],
  ['multipass exec', { short: 'd', long: ['working-directory'], skip: 1, elsewhere: true, permutes: true }],
  ['kubectl run', KUBECTL_RUN],
  ['kubectl debug', KUBECTL_RUN],
  ['tmux new', TMUX_NEW],
  ['tmux new-session', TMUX_NEW],
  ['tmux neww', TMUX_NEW],
  ['tmux new-window', TMUX_NEW],
  ['tmux splitw', TMUX_NEW],
  ['tmux split-window', TMUX_NEW],
  ['tmux respawn-pane', TMUX_NEW],
  ['tmux run-shell', { short: 'dt', joined: true }],
  ['tmux run', { short: 'dt', joined: true }],
  ['tmux send-keys', { short: 'tNc', joined: true }],
  ['tmux send', { short: 'tNc', joined: true }],
  ['nix develop', { short: 'c', long: ['command', 'run'], code: ['--run'] }],
  ['asdf exec', PLAIN],
  ['rbenv exec', PLAIN],
  ['pyenv exec', PLAIN],
  ['volta run', { long: ['node', 'npm', 'yarn'] }],
  ['fnm exec', { long: ['using'] }],
  ['nvm exec', { skip: 1 }],
  ['railway run', PLAIN],
  ['infisical run', { long: ['env', 'path', 'projectId', 'command'], code: ['--command'] }],
  ['toolbox run', { short: 'c', long: ['container'] }],
  ['distrobox enter', { short: 'n', skip: 1 }],
  ['aws-vault exec', { short: 'd', long: ['duration'], skip: 1, permutes: true }],
  ['cargo watch', CARGO_WATCH],
  ['limactl shell', { long: ['workdir', 'shell'], skip: 1, elsewhere: true, permutes: true }],
  ['perf stat', PERF],
  ['perf record', PERF],
  ['perf trace', PERF],
  ['perf mem record', PERF],
  ['rr record', PLAIN],
  ['lerna exec', { dashes: true }],
  ['nx exec', { dashes: true }],
  ['wezterm start', { dashes: true }],
  ['pueue add', { short: 'wdgalo', long: ['working-directory', 'delay', 'group', 'after', 'label'], joined: true }],
  ['granted exec', { dashes: true }],
  ['saml2aws exec', { dashes: true }],
  ['envconsul exec', { dashes: true }],
  ['sentry-cli monitors run', { dashes: true }],
])
