import type { MaybePromise } from '../../ports/maybe-promise.ts'
import type { Repositories, RepositoryLinks } from '../../ports/repositories.ts'
import type { TargetEntry, TargetFacts, TargetText } from '../../ports/targets.ts'
import { READ_LIMITS, type ReaderPorts } from './project-reader.ts'

/** INVARIANT: L10, results that are kept, and bytes of the files they come from. */
const KEPT = { results: 64, bytes: 8 * 1024 * 1024 } as const

/**
 * Results of reading a project, the most recent ones. A result is reused only if everything that was read for it is read
 * again and is the same: each path leads to the same place, each file has the same hash, and what was absent still is.
 */
export class KnownResults<Result> {
  readonly #known = new Map<string, { readonly answers: Answers; readonly result: Result }>()
  #bytes = 0

  /** `find` may depend on nothing but `key` and what the ports answer. */
  async get(key: string, ports: ReaderPorts, find: (ports: ReaderPorts) => Promise<Result>): Promise<Result> {
    const id = ports.crypto.sha256(key)
    const known = this.#known.get(id)
    this.#drop(id)
    if (known !== undefined && (await known.answers.areStill(ports))) {
      this.#keep(id, known)
      return known.result
    }
    const answers = new Answers()
    const ends = ports.clock.monotonic() + READ_LIMITS.milliseconds
    const result = await find(answers.recorded(ports))
    if (answers.isWhole && ports.clock.monotonic() <= ends) this.#keep(id, { answers, result })
    return result
  }

  #keep(id: string, known: { readonly answers: Answers; readonly result: Result }): void {
    this.#drop(id)
    this.#known.set(id, known)
    this.#bytes += known.answers.bytes
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= KEPT.results && this.#bytes <= KEPT.bytes) return
      this.#drop(oldest)
    }
  }

  #drop(id: string): void {
    this.#bytes -= this.#known.get(id)?.answers.bytes ?? 0
    this.#known.delete(id)
  }
}

type FileSystem = ReaderPorts['targets']
type Crypto = ReaderPorts['crypto']

interface Question<Value> {
  readonly ask: (from: FileSystem) => MaybePromise<Value>
  readonly digestOf: (answer: Value, crypto: Crypto) => string
}

const entryDigest = (entry: TargetText, { sha256 }: Crypto): string =>
  entry.type === 'file' ? `${entry.bytes} ${entry.text === undefined ? 'unread' : sha256(entry.text)}` : entry.type

const dataDigest = (data: unknown, { sha256 }: Crypto): string => sha256(JSON.stringify(data) ?? '')

/** The questions to a file system. They outlive the ports that were asked first. */
const QUESTIONS = {
  resolve: (path: string, cwd: string): Question<string> => ({
    ask: (from) => from.resolve(path, cwd),
    digestOf: String,
  }),
  readEntry: (real: string, maxBytes: number): Question<TargetText> => ({
    ask: (from) => from.readEntry(real, maxBytes),
    digestOf: entryDigest,
  }),
  facts: (path: string, cwd: string): Question<TargetFacts> => ({
    ask: (from) => from.facts(path, cwd),
    digestOf: dataDigest,
  }),
  list: (path: string, cwd: string, most: number): Question<readonly TargetEntry[] | undefined> => ({
    ask: (from) => from.list(path, cwd, most),
    digestOf: dataDigest,
  }),
}

/** What the file system was asked, in order, with digests of its answers. */
class Answers {
  readonly #checks: ((ports: ReaderPorts) => MaybePromise<boolean>)[] = []
  #isWhole = true
  #bytes = 0

  /** Nothing failed, and nothing but the file system was asked. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** The size of the files that were read. */
  get bytes(): number {
    return this.#bytes
  }

  /** The same ports, whose answers are recorded. */
  recorded(ports: ReaderPorts): ReaderPorts {
    const { repositories } = ports
    const { look } = ports.targets
    const other = <Value>(answer: Value): Value => {
      this.#isWhole = false
      return answer
    }
    return {
      ...ports,
      targets: {
        resolve: (path, cwd) => this.#record(QUESTIONS.resolve(path, cwd), ports),
        readEntry: (real, most) => this.#record(QUESTIONS.readEntry(real, most), ports),
        facts: (path, cwd) => this.#record(QUESTIONS.facts(path, cwd), ports),
        list: (path, cwd, most) => this.#record(QUESTIONS.list(path, cwd, most), ports),
        ...(look === undefined ? {} : { look: (path, cwd, budget) => other(look(path, cwd, budget)) }),
      },
      repositories: repositories && {
        pending: (top, which) => other(repositories.pending(top, which)),
        between: (top, states) => other(repositories.between(top, states)),
        tracked: (top, patterns) => other(repositories.tracked(top, patterns)),
        links: (folder) => this.#recordLinks(folder, repositories),
      },
    }
  }

  /** Whether every question has the same answer now. */
  async areStill(ports: ReaderPorts): Promise<boolean> {
    try {
      for (const check of this.#checks) {
        const same = check(ports)
        if (!(same instanceof Promise ? await same : same)) return false
      }
      return true
    } catch {
      return false
    }
  }

  /** Asked of every repository that is read, so an answer is compared rather than never reused. */
  async #recordLinks(folder: string, from: Repositories): Promise<RepositoryLinks | undefined> {
    const answer = await from.links(folder).catch((error: unknown) => {
      this.#isWhole = false
      throw error
    })
    const text = JSON.stringify(answer)
    this.#checks.push(async ({ repositories }) => JSON.stringify(await repositories?.links(folder)) === text)
    return answer
  }

  #record<Value>(question: Question<Value>, { targets, crypto }: ReaderPorts): MaybePromise<Value> {
    const keep = (answer: Value): Value => {
      this.#checks.push(sameAnswer(question, question.digestOf(answer, crypto)))
      this.#bytes += textIn(answer).length
      return answer
    }
    const fail = (error: unknown): never => {
      this.#isWhole = false
      throw error
    }
    try {
      const answer = question.ask(targets)
      return answer instanceof Promise ? answer.then(keep).catch(fail) : keep(answer)
    } catch (error) {
      return fail(error)
    }
  }
}

function sameAnswer<Value>({ ask, digestOf }: Question<Value>, digest: string) {
  return ({ targets, crypto }: ReaderPorts): MaybePromise<boolean> => {
    const answer = ask(targets)
    return answer instanceof Promise
      ? answer.then((one) => digestOf(one, crypto) === digest)
      : digestOf(answer, crypto) === digest
  }
}

function textIn(answer: unknown): string {
  return typeof answer === 'object' && answer !== null && 'text' in answer ? String(answer.text) : ''
}
