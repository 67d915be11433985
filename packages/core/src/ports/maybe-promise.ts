/** What a port returns: the value itself where it can, since a promise may cost more than the work. */
export type MaybePromise<T> = T | Promise<T>

/** The answer of `ask`, or `otherwise` if it failed. */
export function answerOr<T, Otherwise>(ask: () => MaybePromise<T>, otherwise: Otherwise): MaybePromise<T | Otherwise> {
  try {
    const answer = ask()
    return answer instanceof Promise ? answer.catch(() => otherwise) : answer
  } catch {
    return otherwise
  }
}
