/**
 * Runs sixty everyday steps of a coding agent in a sample project, with and without a sandbox, and prints which of them
 * are asked about or end differently than without a gate, with the key presses that the questions take in the queue. After a build: `node --conditions=countersign-source scripts/sixty-steps.ts [real|none]`
 */
import { openArena } from '../test/contain/harness/run-row.ts'
import { ASK_EACH, type Compared, compareSixty, measureFatigue } from '../test/contain/sixty-steps/run-sixty.ts'

function word({ asked, differs, why }: Compared): string {
  if (asked) return `asked (${why})`
  return differs === '' ? 'same' : differs
}

/** Node reads no TSX, so the queue comes from the build. */
const { QueueApp } = (await import(
  new URL('../packages/terminal/dist/queue/app.js', import.meta.url).href
)) as typeof import('../packages/terminal/src/queue/app.tsx')
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
    const { questions, presses } = await measureFatigue({ preset: 'balanced', sandbox }, arena, QueueApp)
    console.log(`asked: ${asked}, ended differently: ${differ}, of ${compared.length}`)
    console.log(`questions: ${questions}, key presses: ${presses}\n`)
  }
  const each = await measureFatigue({ preset: 'balanced', sandbox: 'none' }, arena, QueueApp, ASK_EACH)
  console.log(
    `Asking for every call of medium risk one by one: questions: ${each.questions}, key presses: ${each.presses}`,
  )
} finally {
  await arena.close()
}
