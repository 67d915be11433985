import type { CommandPart } from '../../command/model/decomposition.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import { DATA_FLOW } from '../../knowledge/compiled/commands.ts'
import { CREDENTIAL_FILES } from '../../knowledge/compiled/paths.ts'
import { union } from '../../knowledge/words.ts'
import { namesSecret } from '../arguments/secret-variables.ts'
import { isPublicHalf } from '../path/category.ts'
import type { LocatedPath } from '../path/located-path.ts'
import { isPrivateProcessFile } from '../path/process-path.ts'
import { isRemote } from '../path/unresolved-path.ts'
import { FLOW } from './taint.ts'

/** Every program whose output may be tainted, whatever it reads. */
const SOURCES = union(
  DATA_FLOW.downloads,
  DATA_FLOW.remoteCopies,
  DATA_FLOW.bucketClients,
  DATA_FLOW.unpackers,
  DATA_FLOW.packers,
  DATA_FLOW.translators,
  DATA_FLOW.decoders,
  DATA_FLOW.secretPrinters,
)

const has = (part: CommandPart, shape: RegExp) => part.args.some(({ value }) => value !== null && shape.test(value))

/** The taint that a part's output has, whatever it reads. */
export function sourceTaint(part: CommandPart, paths: readonly LocatedPath[]): number {
  const name = lowerCase(part.program ?? '')
  let bits = 0
  if (SOURCES.has(name)) {
    if (isDownload(name, part)) bits |= FLOW.fetched
    if (decodes(name, part)) bits |= FLOW.decoded
    bits |= secretBits(name, part)
  }
  for (const path of paths) bits |= pathBits(path, name)
  return bits
}

/** Whether a program brings data from the network. */
export function isDownload(name: string, part: CommandPart): boolean {
  if (DATA_FLOW.downloads.has(name)) return true
  if (DATA_FLOW.remoteCopies.has(name))
    return part.args.slice(0, -1).some(({ value }) => value !== null && isRemote(value))
  if (name === 'rclone') return has(part, /^[\w-]{2,}:/)
  if (DATA_FLOW.bucketClients.has(name)) return has(part, /^(?:s3|gs|az):\/\//)
  if (name === 'gh') return /^(?:gist|api)$/.test(part.args[0]?.value ?? '') || part.args[1]?.value === 'download'
  return name === 'openssl' && part.args[0]?.value === 's_client'
}

function decodes(name: string, part: CommandPart): boolean {
  if (DATA_FLOW.unpackers.has(name)) return true
  if (name === 'base64' || name === 'base32' || name === 'basenc') return has(part, /^(?:-[a-zA-Z]*[dD]|--decode)/)
  if (name === 'xxd') return has(part, /^-[a-z]*r/)
  if (name === 'openssl') return has(part, /^(?:-d|-decrypt)$/)
  if (name === 'gpg' || name === 'gpg2') return has(part, /^(?:-d|--decrypt)$/)
  if (DATA_FLOW.packers.has(name))
    return has(part, /^(?:-[a-z0-9]*d[a-z0-9]*|--decompress|--decrypt|decrypt|view|e|x)$/)
  return DATA_FLOW.translators.has(name) && !has(part, /^-[cCds]+$/)
}

function pathBits(path: LocatedPath, name: string): number {
  if (path.use === 'read' && isPrivateProcessFile(path)) return FLOW.secret
  if (path.at === null || (path.use !== 'read' && path.use !== 'delete')) return 0
  if (path.use === 'read' && path.at.startsWith('/dev/tcp/')) return FLOW.fetched
  if (path.place !== 'credentials' || isPublicHalf(path.at)) return 0
  if (name === 'ln' || name === 'gln') return FLOW.secret | FLOW.linked
  if (path.soft || DATA_FLOW.nameListers.has(name)) return DATA_FLOW.nameListers.has(name) ? FLOW.names : 0
  return /token/i.test(path.at) ? FLOW.token : FLOW.secret
}

/** The taint of programs that print secrets or tokens, going by their arguments. */
function secretBits(name: string, part: CommandPart): number {
  const [first] = part.args
  switch (name) {
    case 'env':
    case 'printenv':
      return part.args.length === 0 || namesSecret(first?.value ?? '') ? FLOW.secret : 0
    case 'export':
    case 'declare':
    case 'set':
      return part.args.length === 0 || first?.value === '-p' || first?.value === '-xp' ? FLOW.secret : 0
    case 'history':
      return part.args.length === 0 ? FLOW.secret : 0
    case 'echo':
    case 'printf':
      return part.args.some(({ value, text }) => value === null && namesSecret(text)) ? FLOW.secret : 0
    case 'find':
    case 'fd':
    case 'fdfind':
    case 'locate':
      return secretSearch(part) === 'anywhere' ? FLOW.names : 0
    case 'git':
      return part.args.some(({ value }) => value === 'clone') ? FLOW.unpacked : 0
    default:
      return DATA_FLOW.secretManagers.has(name) ? managerBits(name, part) : 0
  }
}

function managerBits(name: string, part: CommandPart): number {
  const [first, second, third] = part.args
  const words = `${first?.value ?? ''} ${second?.value ?? ''} ${third?.value ?? ''}`
  switch (name) {
    case 'security':
      return /^find-(?:generic|internet)-password/.test(words) ? FLOW.secret : 0
    case 'vault':
      return /^(?:read|kv get|print token)/.test(words) ? FLOW.secret : 0
    case 'op':
      return /^(?:read|item get|document get|get)/.test(words) ? FLOW.secret : 0
    case 'pass':
    case 'gopass':
    case 'bw':
      return /^(?:show|get|[\w-]+\/)/.test(words) ? FLOW.secret : 0
    case 'kubectl':
      return /^get secrets?\b/.test(words) ? FLOW.secret : 0
    case 'gpg':
    case 'gpg2':
      return has(part, /^--export-secret/) ? FLOW.secret : 0
    case 'gh':
      if (/^repo clone/.test(words)) return FLOW.unpacked
      return /^auth token/.test(words) ? FLOW.token : 0
    case 'gcloud':
      if (/^auth (?:application-default )?print-/.test(words)) return FLOW.token
      return /^secrets versions access/.test(words) ? FLOW.secret : 0
    case 'aws':
      if (/get-login-password|^sts get-/.test(words)) return FLOW.token
      return /^secretsmanager get-secret|^ssm get-param|^configure (?:get|export)/.test(words) ? FLOW.secret : 0
    case 'az':
      if (/^account get-access-token/.test(words)) return FLOW.token
      return /^keyvault secret show/.test(words) ? FLOW.secret : 0
    default:
      return 0
  }
}

/** Where a search by name would find files with secrets: in the project only, or anywhere. Null if it looks for none. */
export function secretSearch(part: CommandPart): 'project' | 'anywhere' | null {
  if (!DATA_FLOW.finders.has(lowerCase(part.program ?? ''))) return null
  const locates = part.program === 'locate'
  let project = false
  for (let at = 0; at < part.args.length; at++) {
    const named = locates || part.program !== 'find' || DATA_FLOW.nameTests.has(part.args[at - 1]?.value ?? '')
    const value = part.args[at]?.value ?? ''
    if (!named || value === '' || value.startsWith('-') || part.args[at - 1]?.value === '!') continue
    const name = lowerCase(value.slice(value.lastIndexOf('/') + 1)).replace(/^\*+(?=[\w.])|(?<=\w)\*+$/g, '')
    if (name.startsWith('.env')) project = true
    else if (CREDENTIAL_FILES.files.has(name) || (name.length > 3 && CREDENTIAL_FILES.endings.has(name)))
      return 'anywhere'
  }
  if (!project) return null
  return part.args.some(({ value }) => value !== null && /^(?:[/~]|\.\.)/.test(value)) ? 'anywhere' : 'project'
}

/** Whether a part shows or copies the files that a search found. */
export function takesFoundFiles(part: CommandPart): boolean {
  const last = part.via.at(-1) ?? ''
  return (
    DATA_FLOW.readers.has(lowerCase(part.program ?? '')) && /^(?:find|fd|fdfind|xargs|gxargs|parallel)\b/.test(last)
  )
}
