import { CountersignError, type Desk, type SafeText, safeText } from '@countersign/core'
import { type Io, say } from '../terminal/io.ts'

/** Tells on stderr that everything is paused, above what a list shows. */
export async function sayPaused(desk: Pick<Desk, 'rules'>, io: Io): Promise<void> {
  const words = await pausedWords(desk)
  if (words !== null) say(io, words)
}

/** That everything is paused, or that nobody can tell because the rules are not signed; null if neither. */
export async function pausedWords(desk: Pick<Desk, 'rules'>): Promise<SafeText | null> {
  try {
    const paused = await desk.rules().paused()
    if (paused === null) return null
    return safeText(`${paused}; every call is held and grants are suspended until \`countersign resume\``)
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'CS_POLICY_INVALID')
      return safeText(`every call needs a person: ${error.message}`)
    throw error
  }
}
