import { type RiskLevel, safeText, type ToolResult } from '@countersign/core'
import { createPaint } from '../color.ts'
import type { Io } from '../io.ts'
import { type Answers, answerHeld } from './answer.ts'
import { SCRIPT } from './script.ts'
import type { Stage } from './stage.ts'
import { createTools } from './tools.ts'

/** How one step of the script ended. */
export interface Played {
  readonly title: string
  readonly risk: RiskLevel
  readonly asked: boolean
  readonly outcome: string
}

const RESULT_SHOWN = 60
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Lets the scripted agent try everything once, one after the other; `left` when the person had enough. */
export async function play(
  stage: Stage,
  answers: Answers,
  tell: (line: string) => void,
  io: Io,
): Promise<readonly Played[] | 'left'> {
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  for (const signal of SIGNALS) process.on(signal, leave)
  const { gate } = stage.opened
  const paint = createPaint(io.color)
  const tools = createTools(gate, stage.project, { agent: { name: 'demo-agent' }, signal: gone.signal })
  const played: Played[] = []
  let seen: Pick<Played, 'risk' | 'asked'> = { risk: 'none', asked: false }
  const stops = [
    gate.subscribe((event) => {
      if (event.kind === 'judged') seen = { risk: event.judgement.risk.level, asked: false }
      if (event.kind === 'held') seen = { ...seen, asked: true }
    }),
    answerHeld(stage.opened, answers, leave, tell, io),
  ]
  try {
    for (const [at, step] of SCRIPT.entries()) {
      tell('')
      tell(paint(`${at + 1}/${SCRIPT.length}  The agent ${step.title}`, 'bold'))
      tell(`     ${step.why}`)
      const result = await step.act(tools)
      if (gone.signal.aborted) return 'left'
      played.push({ title: step.title, ...seen, outcome: result.kind === 'refusal' ? result.outcome : result.kind })
      tell(`     → ${safeText(resultWords(result))}`)
      stage.reset()
    }
    return played
  } finally {
    for (const stop of stops) stop()
    for (const signal of SIGNALS) process.off(signal, leave)
  }
}

function resultWords(result: ToolResult): string {
  switch (result.kind) {
    case 'completed':
      return typeof result.value === 'string'
        ? `ran: ${(result.value.split('\n', 1)[0] ?? '').slice(0, RESULT_SHOWN)}`
        : 'ran'
    case 'failed':
      return `ran and failed: ${result.message}`
    case 'refusal':
      return `did not run, ${result.outcome}: ${result.message}`
  }
}
