/**
 * A service in a process of its own, as people run it. Tells its parent where it is, and answers what it is asked.
 * Run as: node --conditions=source --expose-gc service-child.ts <home> [bounds as JSON]
 */
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { openHome } from '@countersign/node'
import { startService } from '@countersign/server'
import type { MemoryFigures, ServiceQuestion } from './stage.ts'

const [home = '', bounds = '{}'] = process.argv.slice(2)

/** When the last decision reached this process, by the clock that all processes of a machine share. */
let received = 0n
subscribe('http.server.request.start', (message) => {
  const { request } = message as { readonly request: IncomingMessage }
  if (request.method === 'POST') received = process.hrtime.bigint()
})

const service = await startService({ home: openHome(home), version: '0.1.0', port: 0, bounds: JSON.parse(bounds) })

async function answer(question: ServiceQuestion): Promise<unknown> {
  switch (question) {
    case 'link':
      return service.link().link
    case 'received':
      return Number(received)
    case 'memory':
      return memory()
    case 'collected memory':
      await globalThis.gc?.()
      return memory()
    case 'stop':
      return service.stop()
  }
}

function memory(): MemoryFigures {
  const { rss, heapUsed } = process.memoryUsage()
  return { rssMb: rss / 1e6, heapMb: heapUsed / 1e6 }
}

process.on('message', async (question: ServiceQuestion) => process.send?.({ answer: await answer(question) }))
process.on('disconnect', () => process.exit(1))
process.send?.({ url: service.url, socket: service.socket })
