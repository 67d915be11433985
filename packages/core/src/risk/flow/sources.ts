import type { CommandPart } from '../../command/model/decomposition.ts'
import { lowerCase } from '../../command/programs/lower-case.ts'
import { namesSecret } from '../arguments/secret-variables.ts'
import { wordSet } from '../arguments/word-set.ts'
import { isPublicHalf } from '../path/category.ts'
import type { LocatedPath } from '../path/located-path.ts'
import { isRemote } from '../path/unresolved-path.ts'
import { foundSecrets } from './secret-search.ts'
import { FLOW } from './taint.ts'

const DOWNLOADS = wordSet(
  'curl wget wget2 http https xh xhs httpie aria2c axel fetch sftp ftp lftp nc ncat netcat socat telnet lynx w3m links elinks ' +
    'ssh dig host nslookup drill',
)
/** Copies from another machine when a remote path stands among their words. */
const COPIES = wordSet('scp rsync')
const BUCKETS = wordSet('aws gsutil gcloud rclone s3cmd s5cmd az mc')
const UNPACKS = wordSet('gunzip zcat bzcat xzcat zstdcat bunzip2 unxz unzstd uudecode unlz4 lzcat brotli')
const PACKS = wordSet('gzip bzip2 xz zstd lz4 lzma 7z age sops ansible-vault')
const TRANSLATES = wordSet('rev tr')
const LISTS = wordSet('find fd ls echo printf realpath readlink locate')

const DECODERS = wordSet('base64 base32 basenc xxd openssl gpg gpg2')
const TELLERS = wordSet(
  'find fd fdfind locate env printenv export declare set history echo printf security vault op pass gopass bw kubectl gpg gpg2 git gh gcloud aws az',
)
/** Every program whose output may carry something of its own accord. */
const SOURCES: ReadonlySet<string> = new Set(
  [DOWNLOADS, COPIES, BUCKETS, UNPACKS, PACKS, TRANSLATES, DECODERS, TELLERS].flatMap((names) => [...names]),
)

const has = (part: CommandPart, shape: RegExp) => part.args.some(({ value }) => value !== null && shape.test(value))

/** What a part's own output carries, whatever it reads. */
export function sourceBits(part: CommandPart, paths: readonly LocatedPath[]): number {
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
  if (DOWNLOADS.has(name)) return true
  if (COPIES.has(name)) return part.args.slice(0, -1).some(({ value }) => value !== null && isRemote(value))
  if (name === 'rclone') return has(part, /^[\w-]{2,}:/)
  if (BUCKETS.has(name)) return has(part, /^(?:s3|gs|az):\/\//)
  if (name === 'gh') return /^(?:gist|api)$/.test(part.args[0]?.value ?? '') || part.args[1]?.value === 'download'
  return name === 'openssl' && part.args[0]?.value === 's_client'
}

function decodes(name: string, part: CommandPart): boolean {
  if (UNPACKS.has(name)) return true
  if (name === 'base64' || name === 'base32' || name === 'basenc') return has(part, /^(?:-[a-zA-Z]*[dD]|--decode)/)
  if (name === 'xxd') return has(part, /^-[a-z]*r/)
  if (name === 'openssl') return has(part, /^(?:-d|-decrypt)$/)
  if (name === 'gpg' || name === 'gpg2') return has(part, /^(?:-d|--decrypt)$/)
  if (PACKS.has(name)) return has(part, /^(?:-[a-z0-9]*d[a-z0-9]*|--decompress|--decrypt|decrypt|view|e|x)$/)
  return TRANSLATES.has(name) && !has(part, /^-[cCds]+$/)
}

/** The environment of a process whose number is not known: `/proc/$$/environ`. */
const OWN_ENVIRONMENT = /^["']?\/proc\/[^/\s]{1,64}\/environ["']?$/

function pathBits(path: LocatedPath, name: string): number {
  if (path.at === null && path.use === 'read' && OWN_ENVIRONMENT.test(path.given)) return FLOW.secret
  if (path.at === null || (path.use !== 'read' && path.use !== 'delete')) return 0
  if (path.use === 'read' && path.at.startsWith('/dev/tcp/')) return FLOW.fetched
  if (path.place !== 'credentials' || isPublicHalf(path.at)) {
    return path.at.startsWith('/proc/') && /^\/proc\/[^/]+\/environ$/.test(path.at) ? FLOW.secret : 0
  }
  if (name === 'ln' || name === 'gln') return FLOW.secret | FLOW.linked
  if (path.soft || LISTS.has(name)) return LISTS.has(name) ? FLOW.names : 0
  return /token/i.test(path.at) ? FLOW.token : FLOW.secret
}

/** Programs that print secrets or tokens, by the words they are given. */
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
      return foundSecrets(part) === 'anywhere' ? FLOW.names : 0
    case 'git':
      return part.args.some(({ value }) => value === 'clone') ? FLOW.unpacked : 0
    default:
      return TOLD.has(name) ? toldBits(name, part) : 0
  }
}

/** Programs that print secrets by their first three words. */
const TOLD = wordSet('security vault op pass gopass bw kubectl gpg gpg2 gh gcloud aws az')

function toldBits(name: string, part: CommandPart): number {
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
