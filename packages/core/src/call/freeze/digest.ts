import type { Crypto } from '../../ports/crypto.ts'
import type { FrozenCall } from '../call.ts'
import { canonicalJson } from '../json/canonical.ts'
import type { ToolIdentity } from '../tool.ts'

const CALL_DOMAIN = 'countersign/call/v1\0'

/** The parts of a call that its digest covers. */
export type DigestedCall = Pick<FrozenCall, 'tool' | 'args' | 'cwd' | 'session' | 'agent'>

/** The digest of a call: tool, arguments, folder, session and agent. */
export function callDigest(call: DigestedCall, crypto: Pick<Crypto, 'sha256'>): string {
  const { tool, args, cwd, session, agent } = call
  return digestOfText(callText(tool, canonicalJson(args), cwd, session, agent), crypto)
}

/** The digest of the text from `callText`. */
export function digestOfText(text: string, crypto: Pick<Crypto, 'sha256'>): string {
  return crypto.sha256(CALL_DOMAIN + text)
}

/** The canonical JSON that the digest covers, written by hand with the keys in canonical order. */
export function callText(
  tool: ToolIdentity,
  args: string,
  cwd: string,
  session: string | null,
  agent: FrozenCall['agent'],
): string {
  const who = canonicalJson([...agent.parents, agent.name])
  const which = `{"definition":${canonicalJson(tool.definition)},"name":${canonicalJson(tool.name)},"server":${canonicalJson(tool.server)}}`
  return `{"agent":${who},"args":${args},"cwd":${canonicalJson(cwd)},"session":${canonicalJson(session)},"tool":${which}}`
}
