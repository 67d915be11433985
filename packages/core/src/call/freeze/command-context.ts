import type { Crypto } from '../../ports/crypto.ts'
import type { AroundCommand } from '../call.ts'
import type { Descriptor } from '../descriptor.ts'
import { canonicalJson } from '../json/canonical.ts'
import type { Json, JsonObject } from '../json/json.ts'

const DOMAIN = 'countersign/around/v1\0'

/**
 * The context of the one argument that is the command. Null when there is none or several, or when standard input or an
 * environment is part of what runs: then only exactly the same arguments are the same.
 */
export function aroundCommand(
  args: JsonObject,
  { command, argv, cwd }: Descriptor,
  call: { readonly cwd: string; readonly volatile: readonly string[] },
  crypto: Pick<Crypto, 'sha256'>,
): AroundCommand | null {
  if (command === undefined) return null
  const words = argv === undefined ? null : canonicalJson(argv)
  const [holder, ...more] = Object.keys(args).filter((name) => isCommand(args[name], command, words))
  if (holder === undefined || more.length > 0) return null
  const beside = Object.entries(args).filter(([name]) => name !== holder && !call.volatile.includes(name))
  const text = canonicalJson({ args: Object.fromEntries(beside), cwd: call.cwd, holder })
  return Object.freeze({
    cwd: cwd === undefined ? call.cwd : cwd.startsWith('/') ? cwd : `${call.cwd}/${cwd}`,
    beside: Object.freeze(beside.map(([name]) => name).sort()),
    key: crypto.sha256(DOMAIN + text),
  })
}

function isCommand(value: Json | undefined, command: string, words: string | null): boolean {
  if (value === undefined) return false
  return words === null ? value === command : typeof value === 'object' && canonicalJson(value) === words
}
