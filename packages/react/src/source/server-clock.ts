import { createContext, useContext, useEffect, useState } from 'react'

/** Offset of the service's clock from this browser's. Deadlines use the service's clock. */
export interface ServerClock {
  readonly aheadMs: number
}

const SAME: ServerClock = { aheadMs: 0 }

/** Provides the service's clock to the components below. */
export const ServerClockContext = createContext<ServerClock>(SAME)

/** The current time of the service, updated every `everyMs`. */
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
