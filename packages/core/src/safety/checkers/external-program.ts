import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import { CountersignError } from '../../errors.ts'
import type { Places } from '../../policy/model/circumstances.ts'
import type { CheckerProgram } from '../../policy/model/rule.ts'
import type { Programs } from '../../ports/ports.ts'
import type { Targets } from '../../ports/targets.ts'
import { isInside } from '../../risk/path/category.ts'
import type { CheckAnswer, Checker, CheckInput } from '../checker.ts'

const USUAL_MS = 5_000
/** What it takes to start and end a program, beside its own time. */
const MARGIN_MS = 3_000
const FIELDS: ReadonlySet<string> = new Set([
  'status',
  'message',
  'details',
  'suggestion',
  'overridable',
  'raise',
  'propose',
])

/** A checker that is a program: one JSON object in, one out. Whatever else happens is a failure. */
export function programChecker(
  program: CheckerProgram,
  programs: Programs,
  targets: Pick<Targets, 'resolve'>,
): Checker {
  const { name, run, file } = program
  const timeoutMs = program.timeoutMs ?? USUAL_MS
  return {
    name,
    timeoutMs: timeoutMs + MARGIN_MS,
    async check(input, signal) {
      if (!program.trusted)
        return {
          status: 'fail',
          message: `the project is not trusted, so its checker \`${name}\` did not run`,
          suggestion: `read \`${file}\` and run \`countersign trust\``,
          overridable: true,
        }
      // SECURITY: A23 what an agent may write it may also rewrite: such a program would say whatever the agent likes.
      if (await isInReach(run, input.places, targets))
        throw blocked('it is in the workspace or the temporary folder, where an agent could change it; move it')
      return readAnswer(await programs.answer(run, `${inputText(input, name)}\n`, timeoutMs, signal))
    },
  }
}

/** Whether a word, or what an option is set to, is a path that really leads to where agents write unasked. */
async function isInReach(words: readonly string[], places: Places, targets: Pick<Targets, 'resolve'>) {
  const paths = words.flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]).filter((word) => /^~?\//.test(word))
  const real = await Promise.all(paths.map((path) => targets.resolve(path, '/')))
  const { workspace, temp, gate } = places
  return [...paths, ...real].some(
    (path) => (isInside(path, workspace) || isInside(path, temp)) && !isInside(path, gate), // nobody writes the gate's own
  )
}

/** What the program is given. Documented in docs/reference/policy.md: fields are added, never changed. */
function inputText({ call, risk, places }: CheckInput, checker: string): string {
  const { id, tool, args, cwd, session, agent, said, descriptor, digest, source } = call
  const { level, reversible, magnitude, target, reasons, paths, understood } = risk
  const body = {
    version: 1,
    checker,
    call: { id, tool, args, cwd, session, agent, said, source, digest, does: descriptor },
    risk: { level, reversible, magnitude, target, reasons, paths, understood },
    places,
  }
  return canonicalJson(body as unknown as Json)
}

function readAnswer(text: string): CheckAnswer {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw blocked('its output is not a JSON object')
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    throw blocked('its output is not a JSON object')
  const odd = Object.keys(answer).find((key) => !FIELDS.has(key))
  if (odd !== undefined) throw blocked(`its answer has the unknown field \`${odd.slice(0, 64)}\``)
  return answer as CheckAnswer
}

function blocked(why: string): CountersignError {
  return new CountersignError('CS_CHECK_BLOCKED', why)
}
