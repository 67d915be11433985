import type { Wrapper } from './wrapper-table.ts'

const PLAIN: Wrapper = {}

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
  ['mise exec', { short: 'c', long: ['command'], code: ['-c', '--command'] }],
  ['op run', { long: ['env-file'] }],
  ['doppler run', { short: 'pc', long: ['project', 'config', 'command'], code: ['--command'] }],
  ['dotenvx run', { short: 'fe', long: ['env-file', 'env'] }],
  ['countersign exec', { long: ['session', 'agent', 'cwd', 'timeout', 'said', 'home'] }],
  ['aws-vault exec', { short: 'd', long: ['duration'], skip: 1 }],
])
