import type { CommandPart } from '../../command/model/decomposition.ts'
import type { ProgramRow } from '../../knowledge/programs.ts'
import { optionsOf } from '../arguments/known-options.ts'
import { below, type FileAct, type FileActs, lastName } from './file-act.ts'
import { readTarWords } from './tar-words.ts'

type Acting = (part: CommandPart, row: ProgramRow) => FileActs

const written = (path: string): FileAct => ({ kind: 'file', path, keepsNode: true })

/** A name that an archive keeps as it is: inside, and without steps up. */
function memberName(path: string): string | null {
  const name = path.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '')
  if (name === '' || name === '.') return '.'
  return name.startsWith('/') || name.split('/').includes('..') ? null : name
}

/** `tar czf a.tgz src`, `tar xf a.tar -C x`, `tar tf a.tar` */
const tar: Acting = (part) => {
  const words = readTarWords(part)
  if (words === null) return null
  const { mode, archive, folder, members, strip, renames } = words
  if (mode === 'list') return []
  if (mode === 'unpack') {
    // Only some of the members, by patterns: all of them are looked at.
    if (archive === null || archive === '-' || renames !== undefined) return null
    return [{ kind: 'unpack', archive, format: 'tar', into: folder ?? '.', strip }]
  }
  // The tar of BSD reads the archive behind an `@`.
  if (members.length === 0 || strip !== 0 || members.some((path) => path.startsWith('@'))) return null
  const packed = members.map((path): FileAct => {
    const from = folder === null || path.startsWith('/') ? path : below(folder, path)
    return { kind: 'pack', from, member: memberName(path), ...(renames === undefined ? {} : { renames }) }
  })
  return archive === null ? null : archive === '-' ? packed : [written(archive), ...packed]
}

const zip: Acting = (part, row) => {
  const { known, unknown, words } = optionsOf(part, row)
  const [archive, ...members] = words.map(({ value }) => value ?? '')
  if (unknown.length > 0 || archive === undefined || archive === '' || members.length === 0) return null
  if (!known.every(({ name, isSure }) => isSure && ZIP_OPTIONS.test(name))) return null
  // Without an ending, `.zip` is appended. Patterns are matched by zip itself.
  if (!lastName(archive).includes('.') || members.some((path) => path === '' || /^[-@]|[*?[\]\\]/.test(path)))
    return null
  const junks = known.some(({ name }) => name === '--junk-paths' || name.includes('j'))
  const packed = members.map((from): FileAct => ({ kind: 'pack', from, member: junks ? null : memberName(from) }))
  return [written(archive), ...packed]
}

/** Letters that only say how. `-jj` keeps absolute names. */
const ZIP_OPTIONS = /^(?:-(?!.*jj)[0-9qrjXDv]+|-T|--quiet|--recurse-paths|--junk-paths|--test)$/

const unzip: Acting = (part, row) => {
  const { known, unknown, words } = optionsOf(part, row)
  const values = words.map(({ value }) => value ?? '')
  const [archive] = values
  if (unknown.length > 0 || values.length !== 1 || archive === undefined || /[*?[\]\\]/.test(archive)) return null
  if (known.some(({ name }) => PRINTING.has(name))) return []
  // A name without an ending may stand for one with `.zip`.
  if (!archive.endsWith('.zip')) return null
  const into = known.filter(({ name }) => name === '-d').at(-1)?.value?.value ?? '.'
  return into === '' ? null : [{ kind: 'unpack', archive, format: 'zip', into, strip: 0 }]
}

const PRINTING = new Set(['-l', '-t', '-v', '-p', '-z', '-Z'])

/** Endings that a compressor appends, and takes away again. */
const ENDINGS: Readonly<Record<string, string>> = { gzip: '.gz', bzip2: '.bz2', xz: '.xz', zstd: '.zst' }
const UNPACKING = new Set(['-d', '--decompress', '--uncompress'])
const TO_OUTPUT = new Set(['-c', '--stdout', '--to-stdout', '-l', '--list', '-t', '--test'])
const KEEPING = new Set(['-k', '--keep'])

/** `gzip notes.txt`: replaces the file by one with an ending. */
const compressing =
  (name: keyof typeof ENDINGS, unpacks: boolean): Acting =>
  (part, row) => {
    const { known, unknown, words } = optionsOf(part, row)
    const paths = words.map(({ value }) => value ?? '')
    if (unknown.length > 0 || paths.includes('')) return null
    const has = (names: ReadonlySet<string>) => known.some((option) => names.has(option.name))
    const files = paths.filter((path) => path !== '-')
    if (has(TO_OUTPUT) || files.length === 0) return []
    const ending = ENDINGS[name] ?? ''
    const restores = unpacks || has(UNPACKING)
    const keeps = has(KEEPING) || (name === 'zstd' && !has(new Set(['--rm'])))
    const acts = files.map((from): FileAct | null => {
      if (lastName(from).length <= ending.length && restores) return null
      if (from.endsWith(ending) !== restores || from.endsWith('/')) return null
      return { kind: 'convert', from, to: restores ? from.slice(0, -ending.length) : `${from}${ending}`, keeps }
    })
    return acts.some((act) => act === null) ? null : acts.filter((act) => act !== null)
  }

/** Programs that pack and unpack files. */
export const PACKING: ReadonlyMap<string, Acting> = new Map([
  ['tar', tar],
  ['zip', zip],
  ['unzip', unzip],
  ['gzip', compressing('gzip', false)],
  ['gunzip', compressing('gzip', true)],
  ['bzip2', compressing('bzip2', false)],
  ['bunzip2', compressing('bzip2', true)],
  ['xz', compressing('xz', false)],
  ['unxz', compressing('xz', true)],
  ['zstd', compressing('zstd', false)],
  ['unzstd', compressing('zstd', true)],
])
