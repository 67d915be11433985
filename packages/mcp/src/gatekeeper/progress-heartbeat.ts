const BETWEEN_MS = 5_000

/**
 * Tells a waiting client that its call is still alive, under the token it gave. The values rise and stay below zero:
 * whatever the tool itself reports later is more. Returns the way to stop.
 */
export function startHeartbeat(
  token: string | null,
  send: (bytes: Buffer) => void,
  betweenMs = BETWEEN_MS,
): () => void {
  if (token === null) return () => {}
  let beats = 0
  const timer = setInterval(() => {
    beats += 1
    send(
      Buffer.from(
        `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${-1 / beats},"message":"waiting for a person to decide"}}`,
      ),
    )
  }, betweenMs)
  return () => clearInterval(timer)
}
