import { fork } from 'node:child_process'
import { join } from 'node:path'

/** Another process that answers one question after the other. */
interface Child {
  /** What it said first. */
  readonly first: unknown
  ask(question: unknown): Promise<unknown>
  end(): Promise<void>
}

/** Starts a file of this folder in a process of its own; resolves with its first word. */
export async function startChild(file: string, args: readonly string[]): Promise<Child> {
  const child = fork(join(import.meta.dirname, file), [...args], {
    execArgv: ['--conditions=countersign-source', '--expose-gc', '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
  })
  const waiting: PromiseWithResolvers<unknown>[] = []
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  void exited.then(() => {
    for (const one of waiting.splice(0)) one.reject(new Error(`${file} ended before it answered`))
  })
  child.on('message', (message) => waiting.shift()?.resolve(message))

  function next(): Promise<unknown> {
    const one = Promise.withResolvers<unknown>()
    waiting.push(one)
    return one.promise
  }

  return {
    first: await next(),
    ask(question) {
      child.send(question as object)
      return next()
    },
    async end() {
      child.kill()
      await exited
    },
  }
}
