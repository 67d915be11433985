import { type Assess, anyFlag, anyPrefix } from '../facts.ts'
import { finding } from '../finding.ts'
import { byVerb } from '../verb-levels.ts'

const docker = byVerb({
  family: 'containers',
  verbs: {
    none:
      'ps,images,logs,inspect,stats,top,port,version,info,diff,history,search,events,container ls,' +
      'container list,container inspect,container logs,image ls,image inspect,image history,volume ls,' +
      'volume inspect,network ls,network inspect,system df,system info,context ls,context show,context inspect,' +
      'buildx ls,buildx version,compose ps,compose logs,compose config,compose ls,compose images,compose top,' +
      'compose version,manifest inspect,plugin ls,stack ls,service ls,service ps,node ls',
    low:
      'build,pull,exec,start,stop,restart,pause,unpause,wait,attach,create,compose build,compose pull,' +
      'compose up,compose start,compose stop,compose restart,compose exec,compose run,compose create,' +
      'buildx build,buildx bake,image build,image pull,container start,container stop,container exec,' +
      'network create,volume create',
    medium:
      'run,rm,rmi,kill,cp,commit,tag,save,load,import,export,rename,update,login,logout,compose,compose down,' +
      'compose rm,compose kill,compose watch,container rm,container run,image rm,image tag,network connect,' +
      'network disconnect,context create,builder,buildx,network,container,image,volume,manifest,plugin,scout,' +
      'init',
    high:
      'push,volume rm,volume prune,system prune,image prune,container prune,network rm,network prune,' +
      'builder prune,swarm,node,stack,service,secret,config,context use,context rm,compose push,trust,' +
      'buildx prune,plugin install,machine',
  },
  otherwise: 'high',
  dryVerbs: ['compose'],
  raises: [
    { flags: ['-H', '--host'], level: 'high', text: 'on another host' },
    {
      verbs: ['compose down', 'compose rm', 'rm', 'container rm', 'compose'],
      flags: ['-v', '--volumes'],
      level: 'high',
      text: 'deletes volumes with their data',
    },
    {
      verbs: ['rm', 'rmi', 'container rm', 'image rm'],
      flags: ['-f', '--force'],
      level: 'high',
      text: 'removes by force',
    },
    {
      verbs: ['run', 'create', 'container run', 'compose run'],
      flags: ['--privileged'],
      level: 'critical',
      text: 'gives the container the whole machine',
    },
  ],
})

const HOST_MOUNT =
  /^(?:type=bind,)?(?:(?:source|src)=)?(?:\/|~|\/(?:etc|root|home|usr|var|proc|sys|dev|boot)(?:\/[^:,]*)?|[^:]*docker\.sock)(?::|,|$)/

export const assessDocker: Assess = (facts) => {
  const { part, verb } = facts
  if (verb.kind === 'verb' && /^(?:run|create|container|compose)$/.test(verb.verb)) {
    const mounts = part.args.some((word, at) => {
      const value = word.value ?? ''
      const before = part.args[at - 1]?.value ?? ''
      if (before === '-v' || before === '--volume' || before === '--mount') return HOST_MOUNT.test(value)
      const joined = /^(?:-v|--volume=|--mount=)(.+)$/.exec(value)
      return joined?.[1] !== undefined && HOST_MOUNT.test(joined[1])
    })
    const host = anyPrefix(
      part,
      '--pid=host',
      '--net=host',
      '--network=host',
      '--ipc=host',
      '--userns=host',
      '--cap-add=SYS_ADMIN',
      '--cap-add=ALL',
      '--device=/dev',
    )
    if (mounts) return finding('critical', 'containers.host', `${facts.program} gives the container the host’s files`)
    if (host) return finding('critical', 'containers.host', `${facts.program} gives the container powers over the host`)
    if (anyFlag(part, '--cap-add', '--security-opt', '--device'))
      return finding('high', 'containers.powers', `${facts.program} gives the container more powers`)
  }
  return docker(facts)
}

export const assessCompose = byVerb({
  family: 'containers',
  verbs: {
    none: 'ps,logs,config,ls,images,top,version,port,events',
    low: 'build,pull,up,start,stop,restart,exec,run,create,pause,unpause',
    medium: 'down,rm,kill,cp,watch',
    high: 'push',
  },
  otherwise: 'medium',
  raises: [
    { verbs: ['down', 'rm'], flags: ['-v', '--volumes'], level: 'high', text: 'deletes volumes with their data' },
  ],
})

const kubectl = byVerb({
  family: 'kubernetes',
  verbs: {
    none:
      'get,describe,logs,top,diff,explain,version,api-resources,api-versions,cluster-info,auth can-i,' +
      'auth whoami,config view,config get-contexts,config current-context,rollout status,rollout history,wait,' +
      'events,kustomize,options,plugin list,completion',
    low: 'exec,port-forward,cp,attach,proxy,debug',
    medium: 'config,config use-context,config set-context',
    high:
      'apply,create,patch,set,edit,label,annotate,rollout,scale,autoscale,delete,replace,expose,run,cordon,' +
      'uncordon,taint,drain,certificate,auth reconcile',
    critical:
      'delete namespace,delete ns,delete namespaces,delete pvc,delete pv,delete crd,delete crds,delete ' +
      'node,delete nodes',
  },
  otherwise: 'high',
  raises: [
    {
      verbs: ['delete'],
      flags: ['--all', '-A', '--all-namespaces'],
      level: 'critical',
      text: 'deletes everything of a kind',
    },
    { verbs: ['replace'], flags: ['--force'], level: 'critical', text: 'deletes before it makes anew' },
  ],
})

export const assessKubectl: Assess = (facts) => {
  const { verb } = facts
  if (verb.kind === 'verb' && verb.verb === 'get') {
    const secret = verb.rest.some((word) => /(?:^|,)secrets?(?:$|[/,])/.test(word.value ?? ''))
    if (secret && anyFlag(facts.part, '-o', '--output', '--template'))
      return finding('high', 'kubernetes.secret', 'kubectl get prints a secret', 'no')
  }
  return kubectl(facts)
}

export const assessHelm = byVerb({
  family: 'kubernetes',
  verbs: {
    none:
      'list,ls,history,template,diff,status,get,show,search,lint,version,env,verify,dependency list,repo list,' +
      'plugin list,help',
    low: 'repo,repo add,repo update,dependency,package,create,pull,fetch',
    medium: 'plugin,registry',
    high: 'install,upgrade,rollback,uninstall,delete,push,test,plugin install',
  },
  otherwise: 'high',
})
