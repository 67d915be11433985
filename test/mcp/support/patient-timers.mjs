/**
 * Loaded into the official suites. They give a server half a second or a second for some answers, which a busy machine can
 * miss. Here they wait eight times as long; an answer still ends the wait at once.
 */
const PATIENCE = 8
const { setTimeout: startTimer } = globalThis
const { timeout } = AbortSignal

globalThis.setTimeout = Object.assign(
  (run, ms = 0, ...args) => startTimer(run, ms < 300 ? ms : ms * PATIENCE, ...args),
  startTimer,
)
AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms * PATIENCE)
