import { loadSettings, type UntrustedHook } from '@countersign/hosts'
import { systemClock } from '@countersign/node'
import { type Io, say } from '../terminal/io.ts'
import type { Offering } from './offering.ts'
import { showChange } from './show-changes.ts'
import { tellFailed } from './tell-failed.ts'

const { applyFile, planTrust, untrustedCodexHooks } = await loadSettings()

const STEPS = [
  'Codex runs no hook before you have trusted it. Until then its tools run without Countersign:',
  '  1. start `codex`',
  '  2. type `/hooks` and look at the hooks that name `countersign`',
  '  3. trust them, and start Codex again',
]

/** Checks whether Codex runs our hooks, explains how to trust them, and writes the trust if the person says so. */
export async function checkCodexTrust(offering: Offering, io: Io): Promise<void> {
  const { gated, options } = offering
  const codex = gated.find(({ found }) => found.agent.name === 'codex')
  if (codex === undefined) return
  const { program } = codex.found
  const untrusted = program === null ? null : await untrustedCodexHooks(program, options.machine)
  if (program !== null && untrusted?.length === 0) {
    say(io, 'Codex: trusts these hooks')
    return
  }
  for (const line of STEPS) say(io, line)
  if (program === null || untrusted === null) say(io, 'Codex did not say whether they are trusted')
  else await offerTrust(program, untrusted, offering, io)
}

async function offerTrust(
  program: string,
  untrusted: readonly UntrustedHook[],
  { flags, options, questions, home }: Offering,
  io: Io,
): Promise<void> {
  try {
    const change = planTrust(untrusted, options)
    if (questions !== null) showChange(change.path, change.file?.text ?? null, change.after, io)
    const agreed = flags.trustHooks === true || (await questions?.isYes('Write this trust for you now?')) === true
    if (agreed) {
      applyFile(change, home, systemClock.now())
      const left = await untrustedCodexHooks(program, options.machine)
      say(
        io,
        `Codex: ${left?.length === 0 ? 'trusts these hooks now' : 'still does not trust them; follow the steps above'}`,
      )
    } else say(io, 'Or let `countersign init --trust-hooks` write it')
  } catch (error) {
    tellFailed(error, 'the trust can’t be written; follow the steps above', io)
  }
}
