/**
 * Runs sixty everyday steps of a coding agent in a sample project, with and without a sandbox, and prints which of them
 * are asked about or end differently than without a gate. Usage: `node --conditions=countersign-source scripts/sixty-steps.ts [real|none]`
 */
import { openArena } from '../test/contain/harness/run-row.ts'
import { type Compared, compareSixty } from '../test/contain/sixty-steps/run-sixty.ts'

function word({ asked, differs, why }: Compared): string {
  if (asked) return `asked (${why})`
  return differs === '' ? 'same' : differs
}

const modes = (['real', 'none'] as const).filter((mode) => process.argv[2] === undefined || process.argv[2] === mode)
const arena = await openArena()
try {
  for (const sandbox of modes) {
    const compared = await compareSixty({ preset: 'balanced', sandbox }, arena)
    console.log(sandbox === 'real' ? 'With a sandbox' : 'Without a sandbox')
    compared.forEach((one, at) => {
      console.log(
        `${String(at + 1).padStart(3)}  ${one.step.replaceAll('\n', ' ').slice(0, 60).padEnd(60)}  ${word(one)}`,
      )
    })
    const asked = compared.filter((one) => one.asked).length
    const differ = compared.filter((one) => !one.asked && one.differs !== '').length
    console.log(`asked: ${asked}, ended differently: ${differ}, of ${compared.length}\n`)
  }
} finally {
  await arena.close()
}
