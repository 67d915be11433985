import { join } from 'node:path'
import { killAtEveryMoment } from '../../support/kill-stages.ts'

killAtEveryMoment('the AI SDK', join(import.meta.dirname, 'durable-child.ts'))
