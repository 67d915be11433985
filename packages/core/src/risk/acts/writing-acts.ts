import type { CommandPart } from '../../command/model/decomposition.ts'
import type { ProgramRow } from '../../knowledge/programs.ts'
import { type OptionReading, optionsOf } from '../arguments/known-options.ts'
import { type FileAct, type FileActs, isPlainMode } from './file-act.ts'

type Acting = (part: CommandPart, row: ProgramRow) => FileActs

/** The most bytes that a command may fill a file with, unasked. */
const MOST_BYTES = 256 * 1024 * 1024

const written = (path: string): FileAct => ({ kind: 'file', path, keepsNode: true })

/** The words that are no options; null if one of them is empty. Which options are covered is in the tables. */
function wordsOf({ unknown, words }: OptionReading): readonly string[] | null {
  const values = words.map(({ value }) => value ?? '')
  return unknown.length > 0 || values.includes('') ? null : values
}

function optionText({ known }: OptionReading, ...names: readonly string[]): string | null {
  return known.filter(({ name }) => names.includes(name)).at(-1)?.value?.value ?? null
}

/** `chmod +x file`. A mode with a dash in front looks like an option, and is not understood. */
const chmod: Acting = (part, row) => {
  const [mode, ...paths] = wordsOf(optionsOf(part, row)) ?? []
  if (mode === undefined || paths.length === 0 || !isPlainMode(mode)) return null
  return paths.map(written)
}

const mkdir: Acting = (part, row) => {
  const reading = optionsOf(part, row)
  const paths = wordsOf(reading)
  const mode = optionText(reading, '-m', '--mode')
  if (paths === null || paths.length === 0 || (mode !== null && !isPlainMode(mode))) return null
  return paths.map((path) => ({ kind: 'folder', path }))
}

const DD_SETTINGS = /^(?:bs|ibs|obs|cbs|count|skip|seek|iseek|oseek|conv|status|iflag|oflag)=[\w,]{1,64}$/

/** `dd if=a of=b`. From a device only so much. */
const dd: Acting = ({ args }) => {
  const words = args.map(({ value }) => value ?? '')
  const others = words.filter((word) => !/^(?:if|of)=/.test(word))
  if (!others.every((word) => DD_SETTINGS.test(word))) return null
  const from = words.findLast((word) => word.startsWith('if='))?.slice(3)
  const to = words.filter((word) => word.startsWith('of=')).map((word) => word.slice(3))
  if (from === '' || to.includes('') || to.length === 0) return null
  if ((from === undefined || from.startsWith('/')) && !isSmall(words)) return null
  return to.map(written)
}

function isSmall(words: readonly string[]): boolean {
  const last = (...names: readonly string[]) =>
    words.findLast((word) => names.some((name) => word.startsWith(`${name}=`)))?.replace(/^\w+=/, '')
  const count = sizeOf(last('count') ?? '')
  const block = sizeOf(last('bs', 'ibs') ?? '512')
  return count !== null && block !== null && count * block <= MOST_BYTES
}

const UNITS = ['', 'K', 'M', 'G']

/** A size as these programs write it: `10`, `4K`, `1MB`, `1MiB`; null for anything else. */
function sizeOf(text: string): number | null {
  const [, digits, unit = ''] = /^(\d{1,12})(?:([KMG])(?:iB|B)?)?$/i.exec(text) ?? []
  return digits === undefined ? null : Number(digits) * 1024 ** UNITS.indexOf(unit.toUpperCase())
}

const fallocate: Acting = (part, row) => {
  const reading = optionsOf(part, row)
  const paths = wordsOf(reading)
  const size = sizeOf(optionText(reading, '-l', '--length') ?? '')
  return paths?.length !== 1 || size === null || size > MOST_BYTES ? null : paths.map(written)
}

/** `truncate -s +64 file`: only grows. Not in blocks, nor to the size of another file. */
const truncate: Acting = (part, row) => {
  const reading = optionsOf(part, row)
  const paths = wordsOf(reading)
  const names = reading.known.map(({ name }) => name)
  const isOne = names.filter((name) => name === '-s' || name === '--size').length === 1
  const given = optionText(reading, '-s', '--size') ?? ''
  const size = given.startsWith('+') ? sizeOf(given.slice(1)) : null
  if (!isOne || names.some((name) => !/^(?:-s|--size|-c|--no-create)$/.test(name))) return null
  return paths === null || paths.length === 0 || size === null || size > MOST_BYTES ? null : paths.map(written)
}

/** How the beginning of a file's name may end: what follows are letters or digits, which could complete another name. */
const PREFIX = /^(?:.*\/)?[A-Za-z0-9][\w.-]{0,64}[-_]$/s

function pieces(prefix: string, usual: string, first: string): FileActs {
  return prefix === usual || PREFIX.test(prefix) ? [{ kind: 'prefix', path: prefix, first }] : null
}

/** `split -l 2 notes.txt part-` */
const split: Acting = (part, row) => {
  const words = wordsOf(optionsOf(part, row))
  if (words === null || words.length === 0 || words.length > 2) return null
  return pieces(words[1] ?? 'x', 'x', 'aa')
}

const csplit: Acting = (part, row) => {
  const reading = optionsOf(part, row)
  const words = wordsOf(reading)
  if (words === null || words.length < 2) return null
  return pieces(optionText(reading, '-f', '--prefix') ?? 'xx', 'xx', '00')
}

/** Programs that write the files their words name. */
export const WRITING: ReadonlyMap<string, Acting> = new Map([
  ['chmod', chmod],
  ['mkdir', mkdir],
  ['dd', dd],
  ['fallocate', fallocate],
  ['truncate', truncate],
  ['split', split],
  ['csplit', csplit],
])
