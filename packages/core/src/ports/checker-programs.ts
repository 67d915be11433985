/** Running a checker that is a program. */
export interface Programs {
  /**
   * Runs exact words without a shell, gives them `input` and returns what was printed. Throws CS_CHECK_BLOCKED on
   * everything but one clean end: no such program, another exit code than 0, no answer in time, too much output.
   */
  answer(run: readonly [string, ...string[]], input: string, timeoutMs: number, signal: AbortSignal): Promise<string>
}
