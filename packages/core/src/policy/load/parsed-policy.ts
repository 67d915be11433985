import type { Crypto } from '../../ports/crypto.ts'
import type { ParsedFiles, PolicyFile } from '../../ports/policy-files.ts'

/** What reading a file from an earlier result needs. */
export interface ParsedOptions {
  readonly crypto: Pick<Crypto, 'sha256' | 'seal' | 'unseal'>
  readonly parsed?: ParsedFiles
}

/**
 * Parses a file, or takes the result that an earlier process of the same program sealed: checking a file by its schema
 * takes a start longer than everything else about policy. The name of a result covers every input of `parse`, and the
 * seal covers both, so whoever can forge one can read the home's keys, and decide with them. Only valid files are kept.
 * SECURITY: A3 an organization's file is parsed each time: the person's home is no place to answer for it.
 */
export function parsedOnce<Result extends { readonly kind: 'loaded' | 'refused' }>(
  file: PolicyFile,
  inputs: readonly string[],
  parse: () => Result,
  { crypto, parsed }: ParsedOptions,
): Result {
  if (parsed === undefined || file.layer === 'managed') return parse()
  const { layer, form = 'policy', name, text } = file
  const key = crypto.sha256(
    JSON.stringify(['countersign/parsed/v1', parsed.program, layer, form, name, text, ...inputs]),
  )
  const kept = keptResult(key, crypto, parsed)
  if (kept !== undefined) return kept as Result
  const result = parse()
  if (result.kind === 'loaded' && isPlain(result))
    parsed.put(key, crypto.seal(`${headOf(key)}${JSON.stringify(result)}`))
  return result
}

/** Undefined for a result that is absent, or that this home did not seal for this key. */
function keptResult(key: string, { unseal }: ParsedOptions['crypto'], parsed: ParsedFiles): object | undefined {
  const sealed = parsed.get(key)
  if (sealed === undefined) return undefined
  try {
    const text = unseal(sealed)
    const head = headOf(key)
    return text.startsWith(head) ? (JSON.parse(text.slice(head.length)) as object) : undefined
  } catch {
    return undefined // parsed again
  }
}

/** Starts like nothing else that the home seals. */
function headOf(key: string): string {
  return `countersign/parsed/v1 ${key}\n`
}

/** Whether JSON keeps all of a value. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object') return typeof value === 'number' ? Number.isFinite(value) : value !== undefined
  if (value === null) return true
  if (Array.isArray(value)) return value.every(isPlain)
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain)
}
