import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { queuePresses } from '@countersign/testing/command/queue-presses'
import { differences, type Tree, treeOf } from '../harness/harm.ts'
import { readStepList, type Step } from '../harness/row.ts'
import type { Arena } from '../harness/run-row.ts'
import { inPlace, isStable, placeholders, stepText } from '../harness/run-row.ts'
import { filled, type How, runSteps, type StepEnd } from '../harness/run-steps.ts'

/** What became of one of the sixty steps, compared with the same step without a gate. */
export interface Compared {
  readonly step: string
  readonly asked: boolean
  /** Empty if it ended the same. */
  readonly differs: string
  readonly why: string
}

/** What sixty steps ask of a person. */
export interface Fatigue {
  readonly questions: number
  /** In the real queue at 80×24. */
  readonly presses: number
}

/** Asks about every call of medium risk and above, one by one: the figure that everything else is compared with. */
export const ASK_EACH = 'rules: [{ id: each, tool: "*", risk: medium, supervision: confirm, floor: true }]\n'

/** Counts the questions of sixty steps, and the key presses that it takes to approve them. */
export async function measureFatigue(
  how: Exclude<How, 'bare'>,
  arena: Arena,
  queue: Parameters<typeof queuePresses>[1],
  policy = '',
): Promise<Fatigue> {
  let [questions, presses] = [0, 0]
  await inPlace(arena, async (place) => {
    await runSteps(readSteps(), place, how, placeholders(place, arena), {
      approves: true,
      policy,
      asked: async (shown) => {
        questions += 1
        presses += await queuePresses(shown, queue)
      },
    })
  })
  return { questions, presses }
}

interface Ran {
  readonly end: StepEnd
  readonly tree: Tree
}

/** The sixty steps. */
export function readSteps(): readonly Step[] {
  return readStepList(readFileSync(join(import.meta.dirname, 'steps.yaml'), 'utf8'))
}

/** Runs the steps one after the other in one fresh project. A person approves what is asked about. */
async function runAll(how: How, arena: Arena): Promise<readonly Ran[]> {
  return inPlace(arena, async (place) => {
    const trees: Tree[] = []
    const { ends } = await runSteps(readSteps(), place, how, placeholders(place, arena), {
      approves: true,
      afterStep: () => void trees.push(treeOf(place.work, isStable)),
    })
    return ends.map((end, at) => ({ end, tree: trees[at] ?? new Map() }))
  })
}

/** Compares every step with its run without a gate. */
export async function compareSixty(how: Exclude<How, 'bare'>, arena: Arena): Promise<readonly Compared[]> {
  const bare = await runAll('bare', arena)
  const gated = await runAll(how, arena)
  let known = new Set<string>()
  return gated.map(({ end, tree }, at) => {
    const reference = bare[at]
    if (reference === undefined) throw new Error('a step is missing')
    const paths = differences(reference.tree, tree)
    const added = paths.filter((path) => !known.has(path))
    known = new Set(paths)
    const code =
      end.code === reference.end.code
        ? ''
        : `exit ${end.code} instead of ${reference.end.code}: ${end.text.slice(0, 200).replaceAll(/\s+/g, ' ')}`
    return {
      step: stepText(filled(end.step, (text) => text)),
      asked: end.asked,
      differs: [code, ...added.slice(0, 3).map((path) => `differs: ${path}`)].filter((part) => part !== '').join('; '),
      why: end.why,
    }
  })
}
