/**
 * A service in a process of its own, as people run it. Tells its parent where it is, and answers what it is asked.
 * Run as: node --conditions=countersign-source --expose-gc service-child.ts <home> [bounds as JSON]
 */
import { keepHeapSmall, openHome } from '@countersign/node'
import { startService } from '@countersign/server'
import { watchClocks } from './service-clocks.ts'
import type { MemoryFigures, ServiceQuestion } from './stage.ts'

const [home = '', bounds = '{}'] = process.argv.slice(2)

keepHeapSmall() // as `countersign serve` does
const clocks = watchClocks()
const service = await startService({ home: openHome(home), version: '0.1.0', port: 0, bounds: JSON.parse(bounds) })

async function answer(question: ServiceQuestion): Promise<unknown> {
  switch (question) {
    case 'link':
      return service.link().link
    case 'clocks':
      return clocks()
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
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  return { rssMb: rss / 1e6, heapMb: heapUsed / 1e6, reservedMb: heapTotal / 1e6, externalMb: external / 1e6 }
}

process.on('message', async (question: ServiceQuestion) => process.send?.({ answer: await answer(question) }))
process.on('disconnect', () => process.exit(1))
process.send?.({ url: service.url, socket: service.socket })
