import type { FlagRow, VerbRow } from '../assessor/verb-table.ts'

/** Options with a value of the verbs that start, list or copy. */
export const DOCKER_VALUED =
  '-a --attach --add-host --annotation --blkio-weight --cap-add --cap-drop --cgroup-parent --cgroupns --cidfile --cpus ' +
  '--cpu-shares --cpuset-cpus --device --dns --dns-search --entrypoint -e --env --env-file --expose --gpus --group-add ' +
  '--health-cmd --health-interval --health-retries --health-timeout --hostname --ip --ipc --label --label-file --link ' +
  '--log-driver --log-opt -m --memory --memory-swap --mount --name --network --network-alias --net --pid --pids-limit ' +
  '--platform -p --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout ' +
  '--storage-opt --sysctl --tmpfs --ulimit -u --user --userns --uts -v --volume --volume-driver --volumes-from -w ' +
  '--workdir --filter --format --since --until -n --tail --last -t --tag --build-arg --target --cache-from --cache-to ' +
  '-o --output --secret --ssh --progress --builder --iidfile --metadata-file --time --signal -s --driver --opt ' +
  '--subnet --gateway --ip-range --image --replicas --username --password --detach-keys --index --scale'

/** Options with a value of `run`, `create` and `exec`, where `-t` and `-i` take none. */
export const RUN_VALUED = DOCKER_VALUED.split(' ')
  .filter((name) => name.startsWith('--') || /^-[acehlmpuvw]$/.test(name))
  .join(' ')

/** `docker` and its like. */
export const DOCKER_ROWS: readonly VerbRow[] = [
  [
    'none',
    'yes',
    'only reads',
    'ps, images, logs, inspect, stats, top, port, version, info, diff, history, search, events, container ls, ' +
      'container list, container ps, container inspect, container logs, container top, container stats, container port, ' +
      'container diff, image ls, image list, image inspect, image history, volume ls, volume list, volume inspect, ' +
      'network ls, network list, network inspect, system df, system info, system events, context ls, context list, ' +
      'context show, context inspect, buildx ls, buildx inspect, buildx version, buildx du, buildx imagetools inspect, ' +
      'buildx history, manifest inspect, plugin ls, plugin inspect, stack ls, stack ps, stack services, stack config, ' +
      'service ls, service ps, service inspect, service logs, node ls, node ps, node inspect, secret ls, secret inspect, ' +
      'config ls, config inspect, swarm ca, scout, machine list, machine ls, machine inspect, machine info, pod ps, ' +
      'pod ls, pod inspect, pod logs, healthcheck, unshare --version, sbom, help, builder du, model list, model ls, ' +
      'desktop status, wait, container wait, generate, image tree, checkpoint ls, trust inspect',
  ],
  [
    'low',
    'yes',
    'starts, stops or makes something that can be made again',
    'build, pull, exec, start, stop, restart, pause, unpause, attach, create, buildx build, buildx bake, buildx b, ' +
      'buildx create, buildx use, buildx stop, image build, image pull, container start, container stop, ' +
      'container restart, container exec, container attach, container create, container pause, container unpause, ' +
      'builder build, network create, volume create, machine start, machine stop, machine init, pod start, pod stop, ' +
      'pod create, init, debug, model pull, desktop start, desktop stop, play kube, kube play',
  ],
  ['medium', 'yes', 'runs a container', 'run, container run, model run'],
  [
    'medium',
    'partly',
    'changes containers, images or settings',
    'rm, rmi, kill, cp, commit, tag, save, load, import, export, rename, update, logout, container rm, container kill, ' +
      'container cp, container commit, container export, container rename, container update, image rm, image tag, ' +
      'image save, image load, image import, network connect, network disconnect, network rm, context create, ' +
      'context update, context export, context import, buildx rm, buildx imagetools, manifest create, manifest annotate, ' +
      'plugin, scout config, pod rm, pod kill, pod restart, machine, kube down, kube generate, checkpoint, offload',
  ],
  ['medium', 'yes', 'stores a credential', 'login'],
  ['medium', 'yes', 'deletes what can be built again', 'builder prune, buildx prune, network prune, image prune'],
  ['high', 'partly', 'deletes all stopped containers', 'container prune, pod prune', 'all'],
  ['high', 'partly', 'deletes all that is not in use', 'system prune', 'all'],
  ['high', 'no', 'deletes volumes with their data', 'volume rm, volume remove, volume prune', 'several'],
  ['critical', 'no', 'deletes every container, image and volume', 'system reset, desktop factory-reset', 'all'],
  [
    'high',
    'no',
    'publishes an image',
    'push, image push, buildx push, manifest push, trust sign, plugin push, compose publish, model push',
  ],
  [
    'high',
    'partly',
    'changes a cluster',
    'swarm init, swarm join, swarm leave, swarm update, swarm unlock, swarm join-token, swarm unlock-key, node rm, ' +
      'node update, node promote, node demote, stack deploy, stack up, stack rm, stack down, service create, ' +
      'service update, service rm, service scale, service rollback, secret create, secret rm, config create, config rm',
  ],
  ['high', 'yes', 'makes later commands work on another machine', 'context use'],
  ['high', 'partly', 'removes a context or a machine', 'context rm, machine rm, machine reset'],
  [
    'high',
    'partly',
    'installs a plugin with powers over the machine',
    'plugin install, plugin enable, plugin upgrade, plugin set',
  ],
  ['high', 'unknown', 'runs a command with other rights', 'unshare'],
]

export const DOCKER_FLAGS: readonly FlagRow[] = [
  {
    verbs: 'rm, container rm',
    flags: '-v --volumes',
    level: 'high',
    back: 'no',
    says: 'deletes containers with their volumes',
  },
  {
    verbs: 'rm, container rm, pod rm',
    flags: '-f --force -a --all',
    level: 'high',
    back: 'partly',
    says: 'removes containers by force',
  },
  {
    verbs: 'rmi, image rm',
    flags: '-f --force -a --all',
    level: 'high',
    back: 'partly',
    says: 'removes images by force',
  },
  {
    verbs: 'image prune',
    flags: '-a --all',
    level: 'high',
    back: 'partly',
    says: 'deletes every image that is not in use',
    reach: 'all',
  },
  {
    verbs: 'builder prune, buildx prune',
    flags: '-a --all',
    level: 'high',
    back: 'yes',
    says: 'empties the build cache',
    reach: 'all',
  },
  {
    verbs: 'system prune',
    flags: '--volumes',
    level: 'high',
    back: 'no',
    says: 'deletes all that is not in use, volumes too',
    reach: 'all',
  },
  {
    verbs: 'build, buildx build, buildx b, buildx bake',
    flags: '--push',
    level: 'high',
    back: 'no',
    says: 'builds and publishes an image',
  },
]

export const COMPOSE_VALUED =
  '-e --env -u --user -w --workdir --index -l --label --name -p --publish --volume --entrypoint --scale -t --timeout ' +
  '--tail -n --since --until --format --filter --status --pull --rmi --exit-code-from --wait-timeout --build-arg --ssh ' +
  '--services -o --output --signal --attach --no-attach'

/** `docker compose` and `docker-compose`. */
export const COMPOSE_ROWS: readonly VerbRow[] = [
  [
    'none',
    'yes',
    'only reads',
    'ps, logs, config, convert, ls, images, top, version, port, events, stats, volumes, help, wait, viz',
  ],
  [
    'low',
    'yes',
    'starts, stops or builds the project’s services',
    'build, pull, up, start, stop, restart, exec, run, create, pause, unpause, attach, watch, scale',
  ],
  ['medium', 'yes', 'stops and removes the project’s containers', 'down, rm, kill'],
  ['medium', 'partly', 'copies files or makes an image', 'cp, commit, export'],
  ['high', 'no', 'publishes images', 'push, publish'],
  ['high', 'partly', 'works on another machine', 'bridge'],
]

export const COMPOSE_FLAGS: readonly FlagRow[] = [
  {
    verbs: 'down, rm',
    flags: '-v --volumes',
    level: 'high',
    back: 'no',
    says: 'deletes volumes with their data',
    reach: 'several',
  },
  { verbs: 'down', flags: '--rmi', level: 'medium', back: 'yes', says: 'removes containers and images' },
  {
    verbs: 'up',
    flags: '-V --renew-anon-volumes',
    level: 'medium',
    back: 'no',
    says: 'starts services with empty volumes',
  },
  { verbs: 'build', flags: '--push', level: 'high', back: 'no', says: 'builds and publishes images' },
]
