import type { CommandPart, CommandWord } from '../command/decomposition.ts'
import { findVerb } from '../command/verb.ts'
import type { PathUse } from './report.ts'

/** A path as a command spells it, before it is resolved. */
export interface SpelledPath {
  readonly given: string
  /** What to resolve: the path, or for a glob the folder before its first wildcard. null when it is not known. */
  readonly lookup: string | null
  readonly glob: boolean
  readonly use: PathUse['use']
  /** Only its name or its attributes are looked at, or an empty thing is made. */
  readonly soft: boolean
}

type Use = PathUse['use']
type Reader = (part: CommandPart) => SpelledPath[]

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Programs whose plain words are all files. */
const PLAIN_USES: ReadonlyMap<string, Use> = new Map([
  ...[...set('rm rmdir unlink shred srm wipe trash')].map((name): [string, Use] => [name, 'delete']),
  ...[...set('tee touch mkdir truncate patch mkfifo gzip gunzip bzip2 bunzip2 xz unxz zstd shfmt')].map((name): [string, Use] => [name, 'write']),
  ...[...set('cat tac head tail less more wc sort uniq nl od xxd hexdump strings base64 base32 md5sum sha1sum sha256sum sha512sum cksum file stat diff cmp comm paste fold fmt column rev cut bat zcat zless gpg ls dir tree du cd pushd realpath readlink test [ source .')].map(
    (name): [string, Use] => [name, 'read'],
  ),
])
const SOFT = set('ls dir tree du cd pushd realpath readlink test [ stat file mkdir touch rmdir mkfifo find fd chmod ln')
const SILENT = set('echo printf export declare local typeset readonly alias true false : sleep kill wait set unset trap eval exit return')
/** Options whose value is a file that gets written, whatever the program. */
const OUTPUT = set('-o --output --out --outfile --out-file --output-file --output-document --log-file --dest --target-directory')
/** Options whose value is a key or certificate the program needs for itself. */
const OWN_KEY = set('-i --cert --key --cacert --capath --identity --private-key --kubeconfig')

const isUrl = (text: string) => /^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(text)
const isRemote = (text: string) => /^[\w.-]+@[\w.-]+:/.test(text) || /^[\w.-]{2,}:(?!\\)/.test(text)

/** Whether a word looks like a path and not like a flag, a URL, a remote or prose. */
function looksLikePath(text: string): boolean {
  if (text.length > 4096 || text === '' || text.startsWith('-') || /[\n\t]/.test(text) || isUrl(text)) return false
  return text.startsWith('~') || text.startsWith('.') || text.includes('/')
}

function spelled(word: CommandWord, use: Use, soft: boolean, value = word.value): SpelledPath {
  if (value === null) return { given: word.text, lookup: null, glob: false, use, soft }
  if (!word.glob) return { given: value, lookup: value, glob: false, use, soft }
  const wildcard = value.search(/[*?[{]|[@!+]\(/)
  const before = value.slice(0, wildcard === -1 ? value.length : wildcard)
  const folder = before.slice(0, before.lastIndexOf('/') + 1)
  return { given: value, lookup: folder === '' ? '.' : folder === '/' ? '/' : folder.slice(0, -1), glob: true, use, soft }
}

/** The words that are neither options nor, where known, their values. */
export function plainWords(part: CommandPart, valued: ReadonlySet<string> = new Set()): CommandWord[] {
  const words: CommandWord[] = []
  let ended = false
  for (let at = 0; at < part.args.length; at++) {
    const word = part.args[at]
    if (word === undefined) break
    if (!ended && word.value === '--') ended = true
    else if (!ended && word.value !== null && word.value.startsWith('-') && word.value !== '-') {
      if (valued.has(word.value)) at++
    } else words.push(word)
  }
  return words
}

const all = (use: Use, soft: boolean): Reader => (part) => plainWords(part).map((word) => spelled(word, use, soft))

/** All but the last are read (or moved away), the last is written; with `-t` all are sources. */
const copying = (source: Use): Reader => (part) => {
  const words = plainWords(part, COPY_VALUES).filter((word) => word.value === null || !isUrl(word.value))
  const into = optionValue(part, ['-t', '--target-directory'])
  const sources = into === null ? words.slice(0, -1) : words
  const last = into ?? words.at(-1)
  const local = (word: CommandWord) => word.value === null || !isRemote(word.value)
  return [
    ...sources.filter(local).map((word) => spelled(word, source, false)),
    ...(last === undefined || !local(last) ? [] : [spelled(last, 'write', false)]),
  ]
}

const COPY_VALUES = set('-t --target-directory -e --rsh -P -i -F -o -S -m --mode -g --group --exclude --include -J -c -l')

function optionValue(part: CommandPart, names: readonly string[]): CommandWord | null {
  for (let at = 0; at < part.args.length; at++) {
    const value = part.args[at]?.value
    if (value === null || value === undefined) continue
    if (names.includes(value)) return part.args[at + 1] ?? null
    const name = names.find((one) => one.startsWith('--') && value.startsWith(`${one}=`))
    if (name !== undefined) return { text: value, value: value.slice(name.length + 1), glob: false }
  }
  return null
}

const after = (count: number, use: Use, soft: boolean): Reader => (part) => plainWords(part).slice(count).map((word) => spelled(word, use, soft))

const sed: Reader = (part) => {
  const inPlace = part.args.some((word) => word.value !== null && /^(?:-[nErsuz]*i|--in-place)/.test(word.value))
  const scripted = part.args.some((word) => word.value !== null && /^(?:-[nErsuz]*[ef]|--expression|--file)/.test(word.value))
  const words = plainWords(part, set('-e -f --expression --file -l'))
  return words.slice(scripted ? 0 : 1).map((word) => spelled(word, inPlace ? 'write' : 'read', false))
}

const dd: Reader = (part) =>
  part.args.flatMap((word) => {
    if (word.value === null) return [spelled(word, 'write', false)]
    if (word.value.startsWith('of=')) return [spelled(word, 'write', false, word.value.slice(3))]
    return word.value.startsWith('if=') ? [spelled(word, 'read', false, word.value.slice(3))] : []
  })

const tar: Reader = (part) => {
  const mode = part.args[0]?.value ?? ''
  const extracts = /^-?[a-zA-Z]*x/.test(mode) || part.args.some((word) => word.value === '--extract' || word.value === '-x')
  const folder = optionValue(part, ['-C', '--directory', '--one-top-level'])
  const words = plainWords(part, set('-C --directory -T -X --exclude --one-top-level')).slice(mode.startsWith('-') ? 0 : 1)
  const target = folder === null ? [] : [spelled(folder, extracts ? 'write' : 'read', false)]
  if (extracts) return [...words.slice(0, 1).map((word) => spelled(word, 'read', false)), ...(target.length > 0 ? target : [HERE])]
  return [...words.map((word, at) => spelled(word, at === 0 && /c|r|u/.test(mode) ? 'write' : 'read', false)), ...target]
}

const HERE: SpelledPath = { given: '.', lookup: '.', glob: false, use: 'write', soft: false }

const git: Reader = (part) => {
  const verb = findVerb(part)
  if (verb.kind !== 'verb') return guessed(part)
  const use: Use | null = verb.verb === 'rm' ? 'delete' : verb.verb === 'restore' || verb.verb === 'checkout' ? 'write' : null
  if (use === null) return guessed(part)
  const dashes = verb.rest.findIndex((word) => word.value === '--')
  const words = dashes === -1 && verb.verb === 'checkout' ? [] : verb.rest.slice(dashes + 1)
  return words.filter((word) => word.value === null || !word.value.startsWith('-')).map((word) => spelled(word, use, false))
}

const find: Reader = (part) => {
  const use: Use = part.args.some((word) => word.value === '-delete') ? 'delete' : 'read'
  const paths: SpelledPath[] = []
  for (const word of part.args) {
    if (word.value !== null && /^[-(!]/.test(word.value)) break
    paths.push(spelled(word, use, true))
  }
  const written = ['-fprint', '-fprint0', '-fprintf', '-fls'].map((name) => optionValue(part, [name])).filter((word) => word !== null)
  const starts = paths.length === 0 && use === 'delete' ? [{ ...HERE, use }] : paths
  return [...starts, ...written.map((word) => spelled(word, 'write', false))]
}

/** Words of any other program: what looks like a path is read, what an output option names is written. */
function guessed(part: CommandPart, skip = 0): SpelledPath[] {
  const paths: SpelledPath[] = []
  let plain = 0
  for (let at = 0; at < part.args.length; at++) {
    const word = part.args[at]
    if (word === undefined) break
    const before = part.args[at - 1]?.value ?? ''
    if (word.value === null) {
      if (looksLikePath(word.text.replace(/^["']+/, ''))) paths.push(spelled(word, OUTPUT.has(before) ? 'write' : 'read', false))
      continue
    }
    if (word.value.startsWith('-')) {
      const equals = word.value.indexOf('=')
      const value = word.value.slice(equals + 1)
      const name = word.value.slice(0, equals)
      if (equals > 0 && looksLikePath(value)) paths.push(spelled(word, OUTPUT.has(name) ? 'write' : 'read', OWN_KEY.has(name), value))
      continue
    }
    plain++
    if (before === '-m' || before === '--message') continue
    if (OUTPUT.has(before) && (looksLikePath(word.value) || part.program === 'curl' || part.program === 'sort')) paths.push(spelled(word, 'write', false))
    else if (plain > skip && looksLikePath(word.value)) paths.push(spelled(word, 'read', OWN_KEY.has(before)))
    else {
      // `-F file=@.env`, `-d @body`, `if=/x`: the path stands behind a sign.
      const sent = /^(?:[\w.-]*=)?@(.+)$/.exec(word.value) ?? /^[\w.-]+=([~/.].*)$/.exec(word.value)
      if (sent?.[1] !== undefined) paths.push(spelled(word, 'read', false, sent[1]))
    }
  }
  return paths
}

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['mv', copying('delete')],
  ['cp', copying('read')],
  ['install', copying('read')],
  ['ln', (part) => copying('read')(part).map((path) => ({ ...path, soft: true }))],
  ['rsync', copying('read')],
  ['scp', copying('read')],
  ['chmod', after(1, 'write', true)],
  ['chown', after(1, 'write', false)],
  ['chgrp', after(1, 'write', false)],
  ['chattr', after(1, 'write', false)],
  ['setfacl', after(0, 'write', false)],
  ['sed', sed],
  ['gsed', sed],
  ['dd', dd],
  ['tar', tar],
  ['git', git],
  ['find', find],
  ['grep', (part) => guessed(part, 1)],
  ['egrep', (part) => guessed(part, 1)],
  ['rg', (part) => guessed(part, 1)],
  ['ag', (part) => guessed(part, 1)],
  ['awk', (part) => guessed(part, 1)],
  ['jq', (part) => guessed(part, 1)],
  ['zip', (part) => plainWords(part).map((word, at) => spelled(word, at === 0 ? 'write' : 'read', false))],
])

const WRITES = set('> >> >| &> &>> >& <>')

/** Every path a simple command names: its redirections, its own program when named by path, its arguments. */
export function spelledPaths(part: CommandPart): readonly SpelledPath[] {
  const paths: SpelledPath[] = part.redirections.map(({ operator, target }) => ({
    given: target ?? operator,
    lookup: target,
    glob: false,
    use: WRITES.has(operator) ? 'write' : 'read',
    soft: false,
  }))
  if (part.path?.includes('/')) paths.push({ given: part.path, lookup: part.path, glob: false, use: 'execute', soft: false })
  const name = part.program?.toLowerCase() ?? ''
  if (SILENT.has(name)) return paths
  const plain = PLAIN_USES.get(name)
  const reader = READERS.get(name) ?? (plain === undefined ? guessed : all(plain, SOFT.has(name)))
  for (const path of reader(part)) paths.push(path)
  return paths
}
