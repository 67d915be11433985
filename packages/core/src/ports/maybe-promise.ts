/** What a port answers: at once where it can, since a promise costs more than many a look. */
export type Answer<T> = T | Promise<T>

/** The answer, or `otherwise` where asking failed. */
export function answerOr<T, Otherwise>(ask: () => Answer<T>, otherwise: Otherwise): Answer<T | Otherwise> {
  try {
    const answer = ask()
    return answer instanceof Promise ? answer.catch(() => otherwise) : answer
  } catch {
    return otherwise
  }
}
