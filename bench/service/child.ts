import { fork } from 'node:child_process'

/** Another process that answers requests one by one. */
interface Child {
  /** Its first message. */
  readonly first: unknown
  ask(question: unknown): Promise<unknown>
  end(): Promise<void>
  /** Resolves when it has exited, for any reason. */
  readonly exited: Promise<void>
}

/** Starts a file in its own process; resolves with its first message. Its output is discarded. */
export async function startChild(file: string, args: readonly string[], flags: readonly string[]): Promise<Child> {
  const child = fork(file, [...args], {
    execArgv: [...flags, '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
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
    exited,
  }
}
