import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { CreateSeriesRequest, OneSeries } from "shared/series_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { SERIES_KEY, seriesQuery } from "./get_series.ts";
import { SERIES } from "./text.ts";

/** Creates a repeat, and hands it on. */
export function useCreateSeries(onCreated: (series: OneSeries) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateSeriesRequest) => apiJson<OneSeries>("POST", "/api/series", { body }),
    onSuccess: (series) => {
      cache.setQueryData(seriesQuery(series.id).queryKey, series);
      showToast({ title: SERIES.createdTitle, description: SERIES.created, tone: "ok" });
      onCreated(series);
    },
    onError: (error) => showFailure(SERIES.createFailedTitle, error, SERIES.createFailed),
    onSettled: () => cache.invalidateQueries({ queryKey: SERIES_KEY, exact: true }),
  });
}

export type SeriesAct = "stop" | "continue" | "end";

/** Stops a repeat, lets it go on, or ends it. */
export function useChangeSeries(id: number, onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (act: SeriesAct) => apiJson<OneSeries>("POST", `/api/series/${id}/${act}`),
    onSuccess: (series, act) => {
      cache.setQueryData(seriesQuery(id).queryKey, series);
      showToast({ title: SERIES.doneTitle[act], tone: "ok" });
    },
    onError: (error) => showFailure(SERIES.changeFailedTitle, error, SERIES.changeFailed),
    onSettled: () => {
      onDone();
      return cache.invalidateQueries({ queryKey: SERIES_KEY });
    },
  });
}
