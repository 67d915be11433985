import { describe, expect, it } from 'vitest'
import { rateShell } from '../../fixture.mts'
import { eachIsRated } from '../level-rows.mts'

describe('containers', () => {
  eachIsRated(
    'none',
    `docker ps -a
    docker -H unix:///var/run/docker.sock ps
    docker --context staging images
    docker compose -p shop -f a.yml -f b.yml ps
    docker-compose -f compose.yml logs --tail=50
    docker compose --dry-run up
    docker system df
    skopeo inspect docker://alpine:3.20
    podman volume ls`,
  )
  eachIsRated(
    'low',
    `docker build -t app .
    docker compose --profile dev up -d --wait
    docker compose restart web
    docker exec api ls /app
    docker start api`,
  )
  eachIsRated(
    'medium',
    `docker run --rm -v "$PWD":/app -w /app node:20 npm test
    docker run -d -v pgdata:/var/lib/postgresql/data postgres
    docker run -v /etc/localtime:/etc/localtime:ro app
    docker compose down --remove-orphans
    docker rm api
    docker rm -f api
    docker builder prune
    docker login registry.example.com`,
  )
  eachIsRated(
    'high',
    `docker rm -f $(docker ps -aq)
    docker compose down -v
    docker compose rm -fsv db
    docker volume prune -f
    docker image prune -a -f
    docker push registry.example.com/app:1.2
    docker buildx build --push -t registry.example.com/app:1 .
    docker -H ssh://root@prod.example.com stop api
    docker run -v ~/.aws:/root/.aws:ro amazon/aws-cli s3 ls
    docker stack rm shop
    docker context use production
    crane delete registry.example.com/app:1.0`,
  )
  eachIsRated(
    'critical',
    `docker run --privileged -it alpine sh
    docker run --rm -v /:/host alpine ls
    docker run -itv /:/host alpine ls
    docker run --mount type=bind,source=/,target=/host alpine ls
    docker run -v /var/run/docker.sock:/var/run/docker.sock docker ps
    docker run --pid host alpine ps
    docker run --cap-add=CAP_SYS_ADMIN alpine id
    docker compose run -v /:/host web ls
    podman system reset --force`,
  )

  it('counts privileges only before the image', () => {
    expect(rateShell('docker run --rm alpine grep --privileged x').level).toBe('medium')
  })

  it('reports that deleted volumes are lost, and names them', () => {
    const report = rateShell('docker volume rm pgdata')
    expect(report).toMatchObject({ reversible: 'no', target: 'pgdata' })
  })
})
