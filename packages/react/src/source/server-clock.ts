import { createContext, useContext, useEffect, useState } from 'react'

/** How far the service's clock is ahead of this browser's: every deadline is counted by the former. */
export interface ServerClock {
  readonly aheadMs: number
}

const SAME: ServerClock = { aheadMs: 0 }

/** Gives the pieces below it the service's time. */
export const ServerClockContext = createContext<ServerClock>(SAME)

/** The service's time, renewed every `everyMs`. */
export function useServerNow(everyMs = 1000): number {
  const { aheadMs } = useContext(ServerClockContext)
  const [now, setNow] = useState(() => Date.now() + aheadMs)
  useEffect(() => {
    const renew = () => setNow(Date.now() + aheadMs)
    renew()
    const timer = setInterval(renew, everyMs)
    return () => clearInterval(timer)
  }, [aheadMs, everyMs])
  return now
}
