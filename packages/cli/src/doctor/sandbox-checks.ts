import { safeText } from '@countersign/core'
import { type Home, placesOf, proveSandbox } from '@countersign/node'
import type { Check } from './check.ts'

/** Tests the sandbox by trying to escape from it, one line for each attempt. */
export async function sandboxChecks(home: Home): Promise<readonly Check[]> {
  try {
    const { status, attempts } = await proveSandbox(placesOf(home, home.dir))
    const tried = attempts.map(
      ({ name, keepsFrom, held }): Check => ({
        name: `sandbox-${name}`,
        holds: held,
        words: `a command in the sandbox ${held ? 'can’t' : 'can'} ${keepsFrom}`,
      }),
    )
    if (status.kind === 'works')
      return [
        { name: 'sandbox', holds: true, words: 'the sandbox works: commands that run without approval run in it' },
        ...tried,
      ]
    const words = `no working sandbox, so only commands proven to be harmless run without approval: ${status.why}`
    return [{ name: 'sandbox', holds: false, words: safeText(words), fix: status.fix }, ...tried]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [{ name: 'sandbox', holds: false, words: safeText(`the sandbox could not be tested: ${why}`) }]
  }
}
