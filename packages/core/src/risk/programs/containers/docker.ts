import type { CommandPart } from '../../../command/model/decomposition.ts'
import { programRow, valuedOptionsOf } from '../../../knowledge/programs.ts'
import { type Arity, hasOption, lastValue, type Reading, readArgs } from '../../arguments/argument-parser.ts'
import { targetNamed } from '../../arguments/displayable-name.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import { riskRank } from '../../report/level.ts'
import type { Assess, PartFacts } from '../assessor/assessor.ts'
import { isProduction } from '../assessor/production-target.ts'
import { matchVerb } from '../assessor/rate-verbs.ts'

let runArity: Arity | undefined

/** How `run`, `create` and `exec` read options: there `-t`, `-i` and others take no value. */
function arityOfRun(): Arity {
  const ofRun = [...valuedOptionsOf('docker')].filter((name) => name.startsWith('--') || /^-[acehlmpuvw]$/.test(name))
  runArity ??= { valued: new Set(ofRun), flags: new Set() }
  return runArity
}

/** `docker-compose` and similar: by verb, and by the privileges that `run` gives. */
export const assessCompose: Assess = (facts) => {
  const { finding: found, verb } = matchVerb(facts)
  const powers = verb === 'run' ? ratePowers(facts) : null
  return powers !== null && riskRank(powers.level) > riskRank(found.level) ? powers : found
}

/** `docker`, `podman`, `nerdctl`: by verb, by the privileges a container gets, and by the host it acts on. */
export const assessDocker: Assess = (facts) => {
  const composed = composeOf(facts)
  if (composed !== null) return assessCompose(composed)
  const { finding: found, verb, reading, from } = matchVerb(facts)
  if (removesOne(verb, reading, from)) return { ...found, level: 'medium', reversible: 'partly' }
  const powers = verb !== null && STARTS.has(verb) ? ratePowers(facts) : null
  if (powers !== null && riskRank(powers.level) > riskRank(found.level)) return powers
  const host = lastValue(reading, HOST)
  if (host === undefined || found.level === 'none' || host?.startsWith('unix:')) return found
  if (host === null || riskRank(found.level) >= riskRank('high')) return found
  return finding(
    isProduction(host) ? 'high' : 'medium',
    'containers.host',
    `${facts.program} acts on another machine`,
    'partly',
  )
}

const TAKES_MORE = new Set(['-v', '--volumes', '-a', '--all', '-l', '--link'])

/** `docker rm -f web` stops and removes one container, which is easily started again. */
function removesOne(verb: string | null, reading: Reading, from: number): boolean {
  if ((verb !== 'rm' && verb !== 'container rm') || hasOption(reading, TAKES_MORE) || hasOption(reading, HOST))
    return false
  const words = reading.words.filter(({ at }) => at >= from)
  return words.length === 1 && typeof words[0]?.value === 'string'
}

const HOST = new Set(['-H', '--host', '--url'])
const STARTS = new Set([
  'run',
  'create',
  'container run',
  'container create',
  'exec',
  'container exec',
  'service create',
])

/** `docker compose …` as the words of compose itself. */
function composeOf(facts: PartFacts): PartFacts | null {
  const { part, program, verb } = facts
  if (verb.kind !== 'verb' || verb.verb !== 'compose') return null
  const inner: CommandPart = { ...part, args: verb.rest }
  const { paths, places, folder, hasInner } = facts
  const row = programRow('docker-compose') ?? facts.row
  return { part: inner, program: `${program} compose`, row, paths, places, folder, hasInner, verb }
}

/** Folders whose write access gives a container control of the host. */
const HOST_FOLDER =
  /^(?:\/|\/(?:etc|root|usr|bin|sbin|lib|lib64|var|var\/(?:lib|run)|run|proc|sys|dev|boot)\/?|\/(?:root|boot|var\/lib\/(?:docker|kubelet))\/.*)$/
const PRIVATE_FOLDER =
  /^(?:~\/?|\/(?:home|Users)(?:\/[^/]+)?\/?|~\/\.(?:ssh|aws|kube|gnupg|docker|config)(?:\/.*)?|\/etc\/(?:shadow|ssh|ssl\/private|sudoers|kubernetes).*)$/
const SOCKET = /(?:^|\/)(?:docker|containerd|podman|crio)\.sock$/
const POWERS = /^(?:all|sys_admin|sys_module|sys_ptrace|sys_rawio|dac_read_search|bpf)$/i
const SHARES = new Set(['--pid', '--ipc', '--userns', '--uts', '--net', '--network', '--cgroupns'])

const STARTING = /^(?:run|create|exec)$/

/** Privileges on the host that a container is started with. */
function ratePowers({ part, program }: PartFacts): RiskFinding | null {
  const reading = readArgs(part, arityOfRun())
  let lesser: RiskFinding | null = null
  const verb = reading.words.findIndex(({ value }) => value !== null && STARTING.test(value))
  const imageAt = reading.words[verb + 1]?.at ?? part.args.length
  for (const { name, value, at } of reading.options) {
    // Options after the image belong to the command inside.
    if (at > imageAt) break
    const text = value ?? ''
    if (name === '--privileged' && value !== 'false')
      return handsOver(program, 'gives the container full control of the machine')
    if (name === '-v' || name === '--volume' || name === '--mount') {
      const mount = rateMount(program, name === '--mount' ? mountOf(text) : text)
      if (mount?.level === 'critical') return mount
      if (mount !== null && (lesser === null || mount.level === 'high')) lesser = mount
    }
    if (name === '--cap-add' && POWERS.test(text.replace(/^CAP_/i, '')))
      return handsOver(program, 'gives the container privileges on the host')
    if (SHARES.has(name) && text === 'host') {
      if (name === '--pid' || name === '--ipc' || name === '--userns')
        return handsOver(program, 'gives the container access to the host’s processes')
      lesser ??= finding('medium', 'containers.host-network', `${program} puts the container on the host’s network`)
    }
    if (name === '--device' && /^\/dev\/(?:sd|nvme|vd|hd|mem|kmem|mapper|disk)/.test(text))
      return handsOver(program, 'gives the container access to a host disk')
    if (name === '--security-opt' && /unconfined|disable|no-new-privileges[:=]false/.test(text))
      lesser = finding('high', 'containers.powers', `${program} disables the container’s confinement`)
    if (name === '--cap-add')
      lesser ??= finding('medium', 'containers.powers', `${program} gives the container more capabilities`)
  }
  return lesser
}

/** `type=bind,source=/x,target=/y,readonly` as `-v` writes it. */
function mountOf(text: string): string {
  const from = /(?:^|,)(?:source|src)=([^,]*)/.exec(text)?.[1] ?? ''
  return `${from}::${/(?:^|,)(?:ro|readonly)(?:,|=true|$)/.test(text) ? 'ro' : ''}`
}

function rateMount(program: string, text: string): RiskFinding | null {
  const [from = '', , mode = ''] = text.split(':')
  const reads = /(?:^|,)ro(?:,|$)/.test(mode)
  if (SOCKET.test(from)) return handsOver(program, 'gives the container control of the container engine')
  if (HOST_FOLDER.test(from) && (!reads || from === '/'))
    return handsOver(program, 'gives the container access to the host’s files')
  if (PRIVATE_FOLDER.test(from))
    return finding('high', 'containers.private', `${program} lets the container read private files`, 'no', {
      ...targetNamed(from),
    })
  return null
}

function handsOver(program: string, says: string): RiskFinding {
  return finding('critical', 'containers.host', `${program} ${says}`, 'unknown', { reach: 'all', target: 'host' })
}
