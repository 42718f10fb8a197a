import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isSessionOver } from "./api_client.ts";

/** A cache that asks only when told to: nothing goes stale by itself, nothing is retried. */
export function createQueryClient(onSessionOver: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isSessionOver(error)) onSessionOver();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: Infinity, retry: false, refetchOnWindowFocus: false, refetchInterval: false },
      mutations: { retry: false },
    },
  });
}
