import { formatProblem, type ReadKnowledge, readKnowledge, safeText } from '@countersign/core'
import { existingHome } from '../home/existing-home.ts'
import { filesInForce } from '../policy/policy-sources.ts'
import { type Io, say } from '../terminal/io.ts'

/** The knowledge of the home, the project and the organization; problems are printed. */
export async function knowledgeInForce(io: Io): Promise<ReadKnowledge['knowledge']> {
  const { knowledge, problems } = readKnowledge(await filesInForce(existingHome(io), io))
  for (const problem of problems) say(io, `knowledge error: ${safeText(formatProblem(problem))}`)
  return knowledge
}
