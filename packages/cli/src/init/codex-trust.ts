import { loadSettings, type UntrustedHook } from '@countersign/hosts'
import { systemClock } from '@countersign/node'
import { type Io, say } from '../terminal/io.ts'
import type { Offering } from './offering.ts'
import { showChange } from './show-changes.ts'
import { tellFailed } from './tell-failed.ts'

const { applyFile, planTrust, untrustedCodexHooks } = await loadSettings()

const STEPS = [
  'Codex ignores a hook until you trust it. Until then, its tools run without Countersign:',
  '  1. start `codex`',
  '  2. type `/hooks` and review the hooks that run `countersign`',
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
    say(io, 'Codex: these hooks are trusted')
    return
  }
  for (const line of STEPS) say(io, line)
  if (program === null || untrusted === null) say(io, 'Codex did not report whether these hooks are trusted')
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
    const agreed =
      flags.trustHooks === true || (await questions?.isYes('Trust these hooks in Codex for you now?')) === true
    if (agreed) {
      applyFile(change, home, systemClock.now())
      const left = await untrustedCodexHooks(program, options.machine)
      say(
        io,
        `Codex: ${left?.length === 0 ? 'these hooks are now trusted' : 'these hooks are still not trusted; follow the steps above'}`,
      )
    } else say(io, 'Or run `countersign init --trust-hooks`')
  } catch (error) {
    tellFailed(error, 'can’t trust the hooks for you; follow the steps above', io)
  }
}
